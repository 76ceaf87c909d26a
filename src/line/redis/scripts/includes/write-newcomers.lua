--- Puts those who have just come at the end of the line, all with one write each to the three keys that know of them.
local function writeNewcomers(line)
  local count = #line.newcomers
  if count == 0 then return end
  local from = (line.newcomers[1].number - line.seenFrom) * 16
  local entries = {}
  for i, place in ipairs(line.newcomers) do
    entries[2 * i - 1] = place.number
    entries[2 * i] = place.visitor
  end
  redis.call('SETRANGE', line.seen, from, string.rep(struct.pack('>dd', line.now, line.now), count))
  redis.call('HSET', line.room, 'nextNumber', line.nextNumber)
  redis.call('ZADD', line.queue, unpack(entries))
end
