--- @include presence
--- Waiters who were passed over: {eventId}:away ZSET visitor -> number, + 0.5 for the priority lane. See rules/away.ts.

--- The number and lane of a visitor who is away.
local function findAway(line, visitor)
  local score = line.hasAway and tonumber(redis.call('ZSCORE', line.away, visitor) or nil)
  if not score then return nil end
  local number = math.floor(score)
  return number, score > number and 'priority' or 'ordinary'
end

local function awayScore(number, lane)
  return string.format(lane == 'priority' and '%.0f.5' or '%.0f', number)
end

local function countAway(line)
  return line.hasAway and redis.call('ZCARD', line.away) or 0
end

--- Notes those whom the heads lost because they are quiet: `passed` has score and visitor in turn. They count as departed
--- for the pace: it brings everyone behind nearer.
local function writeAway(line, passed)
  local count = #passed / 2
  if count == 0 then return end
  redis.call('ZADD', line.away, unpack(passed))
  redis.call('HSET', line.room, 'hasAway', 1)
  redis.call('HINCRBY', line.room, 'passedOver', count)
  redis.call('HINCRBY', line.room, 'departed', count)
  line.hasAway = true
end

--- The visitor was heard from: back in the lane, at their number. The counts that a script has taken stay right.
local function comeBack(line, place)
  local key = laneKey(line, place.lane)
  redis.call('ZREM', line.away, place.visitor)
  redis.call('ZADD', key, string.format('%.0f', place.number), place.visitor)
  redis.call('HINCRBY', line.room, 'returned', 1)
  redis.call('HINCRBY', line.room, 'departed', -1)
  redis.call('HSET', line.room, 'returnedAt', line.now)
  line.returnedAt = line.now
  if place.lane == 'priority' and not line.hasLane then
    redis.call('HSET', line.room, 'hasLane', 1)
    line.hasLane = true
  end
  place.isAway = false
  -- Places that the same call has made are not written yet; all of them stand behind.
  for _, new in ipairs(line.newPlaces or {}) do
    new.position = new.position + 1
    if new.lane == place.lane then new.rank = new.rank + 1 end
    new.isHeard = false
  end
  if line.lanes then line.lanes[place.lane] = line.lanes[place.lane] + 1 end
  if line.waiting then line.waiting = line.waiting + 1 end
end

--- The lowest number that is away, or infinity.
local function firstAway(line)
  if not line.hasAway then return math.huge end
  return math.floor(tonumber(redis.call('ZRANGE', line.away, 0, 0, 'WITHSCORES')[2] or math.huge))
end

--- Where nobody is away, it costs nothing.
local function closeAwayIfEmpty(line)
  if not line.hasAway or redis.call('ZCARD', line.away) > 0 then return end
  redis.call('HDEL', line.room, 'hasAway')
  line.hasAway = false
end
