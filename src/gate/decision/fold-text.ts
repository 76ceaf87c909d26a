/** Text as the most lenient server compares it: without case, accents, invisible characters and compatibility forms. */
const NOT_ASCII = /\P{ASCII}/u;
const DROPPED = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;

export function foldText(text: string): string {
  const plain = NOT_ASCII.test(text) ? text.normalize('NFKD').replace(DROPPED, '') : text;
  return plain.toLowerCase();
}
