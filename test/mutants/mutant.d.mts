/** One deliberate break of the program, the promise that it breaks, and the tests that must notice. */
export interface Mutant {
  name: string;
  /** The page of the docs that makes the promise. */
  page: string;
  /** The number of the invariant, on pages with numbered ones. */
  invariant?: number;
  /** The words of the page that stop being true. */
  promise: string;
  /** The source file, from the root. */
  file: string;
  /** Occurs exactly once in the file. */
  find: string;
  replace: string;
  /** At least one of them must fail. */
  tests: readonly NamedTest[];
}

export interface NamedTest {
  /** From the root. */
  file: string;
  /** Part of the name of a suite around the test. Selects one of several stores, so that the others are not started. */
  within?: string;
  /** Part of the test's title. */
  title: string;
}
