--- @include places
--- @include silence
--- @include sweep-away
--- Removes waiters who have not been seen for seenTtlMs, and ends claims and sessions that are over. Walks the lobby, the
--- lanes and those who are away from where the last sweep stopped, 1000 places of each per call. A repeated call continues.
--- While nobody can have lapsed it only looks at those who are away.
--
-- KEYS    see includes/line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
--
-- Replies nil if there is no such room, else [more]: 1 while a walk has not finished
local LIMIT = 1000
-- In numbers, not places: at most 256 KB of {eventId}:seen are read at once.
local SPAN = 16384
local line = openLine()
if not line then return nil end

local moreToEnd = endDue(line, LIMIT)

-- The longest silence of those whom this sweep has passed.
local sweepFrom = tonumber(redis.call('HGET', line.room, 'sweepFrom') or line.now)

local function findSilent(waiters, times, seenFrom)
  local first = math.max(tonumber(waiters[2]), seenFrom)
  local from = (first - seenFrom) * 16
  local last = math.min(tonumber(waiters[#waiters]), first + SPAN - 1)
  local seen = last < first and '' or redis.call('GETRANGE', times, from, (last - seenFrom) * 16 + 15)
  local silent = {}
  for i = 1, #waiters, 2 do
    local number = tonumber(waiters[i + 1])
    if number > last then break end
    -- Only in a lane: the string of the lobby starts at the first arrival.
    local isEarly = number < first
    local sign
    if isEarly then
      local _, early = readSeen(line, number)
      sign = early
    else
      sign = struct.unpack('>d', seen, (number - first) * 16 + 9)
    end
    local since = silentSince(line, sign)
    if hasLapsed(line, since) then
      silent[#silent + 1] = waiters[i]
      if isEarly then forgetSeen(line, number) end
    elseif since < sweepFrom then
      sweepFrom = since
    end
  end
  return silent, last
end

--- One step over a sorted set and its string of last-seen times. Returns whether it reached the end, and how many it
--- removed.
local function walk(set, times, seenFrom, cursorField)
  local cursor = redis.call('HGET', line.room, cursorField) or 0
  local waiters = redis.call('ZRANGEBYSCORE', set, '(' .. cursor, '+inf', 'WITHSCORES', 'LIMIT', 0, LIMIT)
  local reachedEnd = #waiters == 0
  local lapsed = 0
  if not reachedEnd then
    local silent, last = findSilent(waiters, times, seenFrom)
    lapsed = #silent
    if lapsed > 0 then
      redis.call('ZREM', set, unpack(silent))
      redis.call('HINCRBY', line.room, 'lapsed', lapsed)
    end
    cursor = last
    reachedEnd = #waiters < LIMIT * 2 and last == tonumber(waiters[#waiters])
  end
  -- Not back to 0 yet: the other sets may have further to go.
  redis.call('HSET', line.room, cursorField, cursor)
  return reachedEnd, lapsed
end

--- As walk. Departures from a lane also move the others up, so they count for the pace.
local function walkLane(key, cursorField)
  local isDone, departed = walk(key, line.seen, line.seenFrom, cursorField)
  if departed > 0 then redis.call('HINCRBY', line.room, 'departed', departed) end
  return isDone
end

--- One step through everybody who is not away. Returns whether that was the last one.
local function walkAll()
  local isLineDone = walkLane(line.queue, 'sweptTo')
  local isLaneDone = not line.hasLane or walkLane(line.priority, 'prioritySweptTo')
  local isLobbyDone = not holdsAdmission(line) or walk(line.lobby, line.lobbySeen, 1, 'lobbySweptTo')
  if not (isLineDone and isLaneDone and isLobbyDone) then
    redis.call('HSET', line.room, 'sweepFrom', sweepFrom)
    return false
  end
  redis.call('HSET', line.room,
    'sweptTo', 0, 'prioritySweptTo', 0, 'lobbySweptTo', 0, 'silentFrom', sweepFrom, 'silentFor', silenceSettings(line))
  redis.call('HDEL', line.room, 'sweepFrom')
  return true
end

local isDone = not needsSweep(line) or walkAll()
local isAwayDone = not line.hasAway or sweepAway(line, LIMIT)
return { (moreToEnd or not isDone or not isAwayDone) and 1 or 0 }
