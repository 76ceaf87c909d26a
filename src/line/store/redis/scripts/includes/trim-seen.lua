--- The number at the head of a lane, or the next one to be given.
local function headNumber(line, key)
  return tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2] or line.nextNumber)
end

--- Cuts off what {eventId}:seen holds of numbers before the heads, once that is 1 MB and half of the string. So the
--- string stays within twice the span of those who wait, and each number is copied once on average.
local function trimSeen(line)
  -- While lots are given the head may still be far behind numbers that are to come.
  if line.drawPhase == 'drawing' then return end
  local first = math.min(headNumber(line, line.queue), line.hasLane and headNumber(line, line.priority) or math.huge)
  local gone = first - line.seenFrom
  if gone < 65536 or gone * 2 < line.nextNumber - line.seenFrom then return end
  redis.call('SET', line.seen, redis.call('GETRANGE', line.seen, gone * 16, -1))
  redis.call('HSET', line.room, 'seenFrom', first)
  line.seenFrom = first
end
