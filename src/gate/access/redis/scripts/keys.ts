/** The Redis keys of the live access list. They share a hash tag, so that one script may use both. */
export const ACCESS_ENTRIES_KEY = 'access:{live}:entries';
export const ACCESS_VERSION_KEY = 'access:{live}:version';
