/**
 * The UUID of an id, for consumers whose ids are UUIDs: version 5 (RFC 9562), so that any language computes the same. An id that
 * is a UUID stays what it is.
 */
import { createHash } from 'node:crypto';

/** Part of the wire contract: consumers compute UUIDs with it. */
export const ID_NAMESPACE = '44bf125a-5efc-423f-9e43-5401676f00d5';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NAMESPACE_BYTES = Buffer.from(ID_NAMESPACE.replaceAll('-', ''), 'hex');

export function toStableUuid(id: string): string {
  if (UUID.test(id)) return id.toLowerCase();
  const bytes = createHash('sha1').update(NAMESPACE_BYTES).update(id).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
