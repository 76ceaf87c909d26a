/**
 * How many times as many random cases to try as in a usual run. Each run tries new ones, so all runs together try many:
 * TEST_THOROUGH=10 is for changes of the rules and of the scripts.
 */
export const thorough = Number(process.env.TEST_THOROUGH ?? 1);
