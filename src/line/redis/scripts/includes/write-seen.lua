--- Notes when the waiter with `number` joined and was last seen: 16 bytes, where a second sorted set takes over 100.
local function writeSeen(line, number, joinedAt, seenAt)
  redis.call('SETRANGE', line.seen, (number - line.seenFrom) * 16, struct.pack('>dd', joinedAt, seenAt))
end
