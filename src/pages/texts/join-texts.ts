/**
 * One object of several. Call it as pure (`@__PURE__`): a bundler keeps an object with spreads even if nobody uses it, and
 * the texts of operators would be part of every waiting page.
 */
export function joinTexts<A extends object, B extends object, C extends object, D extends object, E extends object>(
  a: A,
  b: B,
  c: C,
  d: D,
  e: E,
): A & B & C & D & E {
  return { ...a, ...b, ...c, ...d, ...e };
}
