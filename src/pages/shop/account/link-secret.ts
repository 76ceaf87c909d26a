/** The secret of a mailed link: read once from the fragment, then removed from the address bar and the history. */
export function takeLinkSecret(): string {
  const secret = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  return secret;
}
