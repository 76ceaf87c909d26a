--- When the waiter with `number` joined and was last seen.
local function readSeen(line, number)
  if number < line.seenFrom then
    local joinedAt, seenAt = struct.unpack('>dd', redis.call('HGET', line.room, 'early:' .. number))
    return joinedAt, seenAt
  end
  local from = (number - line.seenFrom) * 16
  local joinedAt, seenAt = struct.unpack('>dd', redis.call('GETRANGE', line.seen, from, from + 15))
  return joinedAt, seenAt
end
