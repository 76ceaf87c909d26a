/** The slot of a key in a Redis Cluster: CRC16 (XMODEM) of its hash tag, or of the whole key without one. */
const SLOTS = 16_384;
const POLYNOMIAL = 0x1021;

export function keySlot(key: string): number {
  let crc = 0;
  for (const byte of Buffer.from(hashTagOf(key))) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ POLYNOMIAL) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc % SLOTS;
}

function hashTagOf(key: string): string {
  const from = key.indexOf('{') + 1;
  const to = key.indexOf('}', from);
  return from > 0 && to > from ? key.slice(from, to) : key;
}
