--- @include places
--- Removes those of the next `limit` who are away that were silent for seenTtlMs. True once the walk has reached the end.
local function sweepAway(line, limit)
  local cursor = redis.call('HGET', line.room, 'awaySweptTo') or 0
  local found = redis.call('ZRANGEBYSCORE', line.away, '(' .. cursor, '+inf', 'WITHSCORES', 'LIMIT', 0, limit)
  local silent = {}
  for i = 1, #found, 2 do
    local number = math.floor(tonumber(found[i + 1]))
    local _, sign = readSeen(line, number)
    if isSilent(line, sign) then
      silent[#silent + 1] = found[i]
      forgetSeen(line, number)
    end
  end
  if #silent > 0 then
    redis.call('ZREM', line.away, unpack(silent))
    redis.call('HINCRBY', line.room, 'lapsed', #silent)
  end
  local isDone = #found < limit * 2
  redis.call('HSET', line.room, 'awaySweptTo', isDone and 0 or found[#found])
  return isDone
end
