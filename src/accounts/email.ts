/** Email addresses as names of accounts: one person's address, however they write it, is one account. */
const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,180}\.[^\s@.\p{C}]{2,63}$/u;

/** The one way in which an address is kept and compared; undefined for a text that is none. */
export function normaliseEmail(text: string): string | undefined {
  const email = text.trim().normalize('NFKC').toLowerCase();
  return EMAIL.test(email) ? email : undefined;
}
