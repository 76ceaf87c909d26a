/**
 * The only place that builds the Redis keys of live delivery. What belongs to one event, or to one instance, carries its
 * hash tag; the index of instances is never touched by a script.
 */
export const INSTANCES_KEY = 'queue:instances';

/** There while the instance lives. */
export const instanceKey = (instanceId: string): string => `instance:{${instanceId}}`;
/** Stream of news for one instance. */
export const dispatchKey = (instanceId: string): string => `dispatch:{${instanceId}}`;
/** Visitor -> the instances that hold their connections, mostly one. */
export const whereKey = (eventId: string): string => `{${eventId}}:where`;
