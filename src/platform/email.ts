/** Email addresses as account names: different spellings of one address are one account. */
const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,180}\.[^\s@.\p{C}]{2,63}$/u;

/** The form in which addresses are stored and compared; undefined if the text is no address. */
export function normaliseEmail(text: string): string | undefined {
  const email = text.trim().normalize('NFKC').toLowerCase();
  return EMAIL.test(email) ? email : undefined;
}
