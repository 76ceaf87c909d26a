/** Removes passwords and tokens from text that people or log collectors will read. */

const HIDDEN = '(not shown)';
/** Up to the last `@` of the word: a password that was not percent-encoded may contain `/`, `?`, `#` and `@`. */
const USERINFO = /([a-z][a-z0-9+.-]*:\/\/)[^\s"'`<>]*@/gi;
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
/** `?token=…`, `password=…`, in a query string or in a connection string. */
const SENSITIVE_PAIR =
  /(^|[?&;\s])([\w.-]*(?:token|secret|passw|pwd|passphrase|credential|signature|api-?key|access-?key)[\w.-]*=)[^&;\s"']*/gi;

export function redactText(text: string): string {
  return text
    .replace(USERINFO, `$1${HIDDEN}@`)
    .replace(JWT, HIDDEN)
    .replace(SENSITIVE_PAIR, (_, before, name) => `${before}${name}${HIDDEN}`);
}

const LONGEST_VALUE = 100;

/**
 * A setting that was refused, as an error message may show it. Of a URL only scheme and host: with a typing error nobody
 * knows where the password is, and the path of a webhook is often a secret too.
 */
export function redactValue(value: string): string {
  return value.split(',').map(redactItem).join(',').slice(0, LONGEST_VALUE);
}

function redactItem(item: string): string {
  const [, scheme = '', rest = ''] = /^(.*?:?\/\/)?(.*)$/s.exec(item) ?? [];
  const at = rest.lastIndexOf('@');
  const host = rest.slice(at + 1);
  if (scheme === '' && at === -1) return redactText(item);
  const shown = /^[^/?#\s]*/.exec(host)![0];
  return `${scheme}${at === -1 ? '' : `${HIDDEN}@`}${shown}${shown === host ? '' : HIDDEN}`;
}
