/** Whether a browser says that a request comes from a page of this site. Who says nothing is not believed to. */
export interface OriginFacts {
  headers: { origin?: string | undefined; 'sec-fetch-site'?: string | string[] | undefined };
  /** As the browser sees it, a trusted proxy taken into account. */
  protocol: string;
  host: string;
}

/** Browsers send `Sec-Fetch-Site` wherever there is TLS, and no script can; without TLS there is `Origin` to go by. */
export function isSameOrigin({ headers, protocol, host }: OriginFacts): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === `${protocol}://${host}`;
}
