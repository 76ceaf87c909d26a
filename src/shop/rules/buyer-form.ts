/** The form of what buyers say about themselves. Shared with the pages, so without a schema library. */
export const LONGEST_NAME = 100;
export const LONGEST_EMAIL = 254;
export const LONGEST_PHONE = 20;
export const PHONE = '^\\+?[0-9][0-9 ()-]{6,18}$';
