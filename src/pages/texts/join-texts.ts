/**
 * One object of several. Call it as pure (`@__PURE__`): a bundler keeps an object with spreads even if nobody uses it, and
 * the texts of operators would be part of every waiting page. No two parts may share a name: the result would have no type.
 */
export function joinTexts<Parts extends readonly object[]>(...parts: Parts): Joined<Parts> {
  return Object.assign({}, ...parts) as Joined<Parts>;
}

type Joined<Parts extends readonly object[]> = Parts extends readonly [
  infer First,
  ...infer Rest extends readonly object[],
]
  ? keyof First & keyof Joined<Rest> extends never
    ? First & Joined<Rest>
    : never
  : unknown;
