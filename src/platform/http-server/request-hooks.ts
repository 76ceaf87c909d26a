/**
 * Knows which hooks run for a route, because the fast path runs none of them. Hooks that apply the response policy are
 * added with `addPolicyHook`: the fast path implements the same policy itself. Any other hook on a fast route would be
 * skipped silently, so `findForeignHooks` reports it and the start fails.
 */
import type { FastifyInstance, RouteOptions } from 'fastify';

const requestHookNames = [
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'preSerialization',
  'onSend',
  'onResponse',
  'onError',
  'onTimeout',
  'onRequestAbort',
] as const;
type RequestHookName = (typeof requestHookNames)[number];

interface AddedHook {
  /** The encapsulation context that the hook was added to. */
  scope: object;
  name: RequestHookName;
  run: unknown;
}

const policyHooks = new WeakSet<object>();
const addedHooks = new WeakMap<object, AddedHook[]>();

/** Records every request hook that is added to `app` or to one of its plugins from now on. */
export function trackRequestHooks(app: FastifyInstance): void {
  const added: AddedHook[] = [];
  addedHooks.set(app.server, added);
  const addHook = app.addHook as (this: object, name: string, run: unknown) => FastifyInstance;
  const trackingAddHook = function trackingAddHook(this: object, name: string, run: unknown): FastifyInstance {
    if (isRequestHook(name)) added.push({ scope: this, name, run });
    return addHook.call(this, name, run);
  };
  // Plugins inherit from the root instance, and with it this method.
  app.addHook = trackingAddHook as typeof app.addHook;
}

/** Adds a hook of the response policy: one whose effect the fast path has too. */
export function addPolicyHook(app: FastifyInstance, name: RequestHookName, run: object): void {
  policyHooks.add(run);
  (app.addHook as (name: string, run: object) => unknown)(name, run);
}

/** Names of the hooks beyond the policy that the framework would run for a route registered in `scope`. */
export function findForeignHooks(scope: FastifyInstance, route: RouteOptions): string[] {
  const ofScope = (addedHooks.get(scope.server) ?? [])
    .filter((hook) => hook.scope === scope || Object.prototype.isPrototypeOf.call(hook.scope, scope))
    .filter(({ run }) => !policyHooks.has(run as object))
    .map(({ name }) => name);
  const ofRoute = requestHookNames.filter((name) => [route[name] ?? []].flat().length > 0);
  return [...ofScope, ...ofRoute];
}

function isRequestHook(name: string): name is RequestHookName {
  return (requestHookNames as readonly string[]).includes(name);
}
