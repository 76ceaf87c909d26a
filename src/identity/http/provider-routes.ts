/**
 * Endpoints to sign in at the identity provider. Both are called by the operator page: it goes to the provider, and the
 * provider sends the browser back to that page. So no request that another site caused sets a cookie.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import { type IdentityCookie, readCookie, setCookie } from '../../platform/http-server/cookies.ts';
import { addressKey, type RateLimit } from '../../platform/rate-limit.ts';
import type { Operators } from '../operators.ts';
import type { ProviderOperator } from '../provider/provider-claims.ts';
import { ProviderRefusedError, type SignInFlow, type SignInProvider } from '../provider/sign-in-provider.ts';
import { createOperatorCookie, type OperatorCookieOptions } from './operator-cookie.ts';
import { SessionAnswer, toSessionAnswer } from './operator-session-answer.ts';

export interface ProviderRoutesOptions extends OperatorCookieOptions {
  operators: Operators;
  /** undefined: no provider is configured. `box` encrypts what the browser carries meanwhile. */
  signIn: { provider: SignInProvider; box: SecretBox } | undefined;
  signInsPerAddress: RateLimit;
  /** The origin of the site, if it is configured. */
  publicUrl: string | undefined;
}

/** The page to which the provider sends the browser back. */
export const CALLBACK_PATH = '/admin/callback';

const FLOW_COOKIE: IdentityCookie = { name: 'fairline-operator-sign-in' };
const FLOW_CONTEXT = 'operator sign-in';
/** How long signing in at the provider may take. */
const FLOW_SECONDS = 600;

interface StartedFlow extends SignInFlow {
  startedAt: number;
}

export const providerRoutes: FastifyPluginAsyncTypebox<ProviderRoutesOptions> = async (app, options) => {
  const { operators, signInsPerAddress, isSecure, now } = options;
  const cookie = createOperatorCookie(options);
  const schema = { tags: ['operators: session'] };
  const writeFlow = (value: string, maxAgeSeconds: number, request: FastifyRequest, reply: FastifyReply) =>
    setCookie(reply, FLOW_COOKIE, value, { maxAgeSeconds, secure: isSecure(request), sameSite: 'Strict' });

  function requireSignIn(): NonNullable<ProviderRoutesOptions['signIn']> {
    if (options.signIn === undefined) throw new AppError('NO_IDENTITY_PROVIDER');
    return options.signIn;
  }

  app.post(
    '/admin/session/provider',
    {
      schema: {
        ...schema,
        operationId: 'beginOperatorSignIn',
        security: [],
        errors: ['NO_IDENTITY_PROVIDER', 'PROVIDER_REFUSED', 'PROVIDER_UNAVAILABLE'],
        summary: 'Begin to sign in at the identity provider: the address to go to',
        response: { 200: Type.Object({ url: Type.String() }) },
      },
    },
    async (request, reply) => {
      const { provider, box } = requireSignIn();
      const redirectUri = toOrigin(request, options.publicUrl) + CALLBACK_PATH;
      const { url, flow } = await provider.begin(redirectUri).catch(toAppError);
      const started: StartedFlow = { ...flow, startedAt: now() };
      writeFlow(box.seal(JSON.stringify(started), FLOW_CONTEXT), FLOW_SECONDS, request, reply);
      return { url };
    },
  );

  app.post(
    '/admin/session/provider/complete',
    {
      schema: {
        ...schema,
        operationId: 'completeOperatorSignIn',
        security: [],
        errors: [
          'NO_IDENTITY_PROVIDER',
          'NO_OPERATOR_ROLE',
          'PROVIDER_REFUSED',
          'PROVIDER_UNAVAILABLE',
          'RATE_LIMITED',
        ],
        summary: 'Complete the sign-in with the answer of the identity provider; sets a cookie',
        body: Type.Object(
          {
            query: Type.String({
              ...{ minLength: 1, maxLength: 8_192 },
              description: 'the query with which the provider sent the browser back, without the question mark',
            }),
          },
          { additionalProperties: false },
        ),
        response: { 200: SessionAnswer },
      },
    },
    async (request, reply) => {
      const { provider, box } = requireSignIn();
      const address = addressKey(request.ip);
      const retryAfterSeconds = signInsPerAddress.secondsToWait(address);
      if (retryAfterSeconds > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
      signInsPerAddress.count(address);
      const flow = readFlow(request, box);
      writeFlow('', 0, request, reply);
      const operator = await findOperator(provider, flow, request);
      const signed = await operators.signInPerson(request, operator);
      if (signed === undefined) throw noRole(operator);
      cookie.set(signed, request, reply);
      const { person } = signed.session;
      return toSessionAnswer(signed.session, (await operators.people.roleOf(person!, signed.session.startedAt))!);
    },
  );

  /** undefined: the browser did not begin here, or took too long. */
  function readFlow({ headers }: FastifyRequest, box: SecretBox): StartedFlow | undefined {
    const text = box.open(readCookie(headers.cookie, FLOW_COOKIE) ?? '', FLOW_CONTEXT);
    const flow = text === undefined ? undefined : (JSON.parse(text) as StartedFlow);
    return flow !== undefined && now() - flow.startedAt < FLOW_SECONDS * 1000 ? flow : undefined;
  }

  async function findOperator(
    provider: SignInProvider,
    flow: StartedFlow | undefined,
    request: FastifyRequest<{ Body: { query: string } }>,
  ): Promise<ProviderOperator> {
    try {
      if (flow === undefined) throw new ProviderRefusedError('no sign-in was begun in this browser');
      return await provider.complete(flow, request.body.query);
    } catch (error) {
      if (error instanceof ProviderRefusedError) await operators.refused.note('refused sign in', request);
      return toAppError(error);
    }
  }
};

/** The configured origin if the browser is there: a proxy may end TLS without telling. */
function toOrigin({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string {
  const isThere = publicUrl !== undefined && new URL(publicUrl).host === host;
  return new URL(isThere ? publicUrl : `${protocol}://${host}`).origin;
}

function toAppError(error: unknown): never {
  const { name } = error as Error;
  if (name === 'ProviderUnavailableError') throw new AppError('PROVIDER_UNAVAILABLE', { retryAfterSeconds: 5 });
  throw name === 'ProviderRefusedError' ? new AppError('PROVIDER_REFUSED') : error;
}

function noRole({ name }: ProviderOperator): AppError {
  const who = name.replace(/^oidc:/, '');
  const message = `You are signed in at the identity provider as ${who}, but have no role here. Ask an admin for a role.`;
  return new AppError('NO_OPERATOR_ROLE', { message });
}
