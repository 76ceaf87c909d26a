/**
 * The only place that builds the Redis keys of live delivery. Keys of one event or instance share its hash tag; the
 * list of instances has none, because no script uses it.
 */
export const INSTANCES_KEY = 'queue:instances';

/** Exists while the instance is alive. */
export const instanceKey = (instanceId: string): string => `instance:{${instanceId}}`;
/** Stream of hints for one instance. */
export const dispatchKey = (instanceId: string): string => `dispatch:{${instanceId}}`;
/** Visitor -> the instances with their connections, usually one. */
export const whereKey = (eventId: string): string => `{${eventId}}:where`;
