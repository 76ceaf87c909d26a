--- Puts those who have just come at the end of their lanes, all with one write each to the keys that know of them.
local function writeNewcomers(line)
  local count = #line.newcomers
  if count == 0 then return end
  local from = (line.newcomers[1].number - line.seenFrom) * 16
  local entries = { ordinary = {}, priority = {} }
  for _, place in ipairs(line.newcomers) do
    local lane = entries[place.lane]
    lane[#lane + 1] = string.format('%d', place.number)
    lane[#lane + 1] = place.visitor
  end
  redis.call('SETRANGE', line.seen, from, string.rep(struct.pack('>dd', line.now, line.now), count))
  redis.call('HSET', line.room, 'nextNumber', line.nextNumber)
  if #entries.ordinary > 0 then redis.call('ZADD', line.queue, unpack(entries.ordinary)) end
  if #entries.priority == 0 then return end
  redis.call('HSET', line.room, 'hasLane', 1)
  redis.call('ZADD', line.priority, unpack(entries.priority))
end
