--- Notes when the waiter with `number` joined and was last seen: 16 bytes, where a second sorted set takes over 100.
--- A number that tier 1 gave long ago may lie before the string; moving megabytes for it would hold everybody up.
local function writeSeen(line, number, joinedAt, seenAt)
  local times = struct.pack('>dd', joinedAt, seenAt)
  if number < line.seenFrom then return redis.call('HSET', line.room, 'early:' .. number, times) end
  redis.call('SETRANGE', line.seen, (number - line.seenFrom) * 16, times)
end
