/** Addresses that no visitor from the internet has: loopback, private networks, link-local, carrier-grade NAT. */
const PRIVATE =
  /^(127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|::1$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/i;
const MAPPED = '::ffff:';

export function isPrivateAddress(address: string): boolean {
  return PRIVATE.test(address);
}

/** Sockets that also accept IPv6 show 10.0.0.1 as ::ffff:10.0.0.1. */
export function toPlainAddress(address: string): string {
  return address.startsWith(MAPPED) && address.includes('.') ? address.slice(MAPPED.length) : address;
}
