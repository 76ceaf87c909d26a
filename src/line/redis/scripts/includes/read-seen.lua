--- When the waiter with `number` joined and was last seen.
local function readSeen(line, number)
  local from = (number - line.seenFrom) * 16
  local joinedAt, seenAt = struct.unpack('>dd', redis.call('GETRANGE', line.seen, from, from + 15))
  return joinedAt, seenAt
end
