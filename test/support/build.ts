/** Before all tests: the compiled program that process tests start is that of these sources. */
export default async function build(): Promise<void> {
  // @ts-expect-error: a plain script, which must run before anything is compiled.
  const { setUp } = await import('../../scripts/set-up.mjs');
  setUp();
}
