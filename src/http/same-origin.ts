/** Whether a request comes from a page of this site. A request without evidence is treated as cross-site. */
export interface OriginFacts {
  headers: { origin?: string | undefined; 'sec-fetch-site'?: string | string[] | undefined };
  /** As the browser sees them: behind a trusted proxy, from its X-Forwarded-* headers. */
  protocol: string;
  host: string;
}

/** Over TLS browsers send `Sec-Fetch-Site`, which no script can set; without TLS only `Origin` is available. */
export function isSameOrigin({ headers, protocol, host }: OriginFacts): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === `${protocol}://${host}`;
}
