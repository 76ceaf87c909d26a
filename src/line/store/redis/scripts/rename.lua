--- @include places
--- Moves a place from one visitor to another, with its lane and number. If both have a place, the better one stays. A
--- repeated call changes nothing. See rules/rename.ts.
--
-- KEYS    see includes/line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] the visitor whose place it is
-- ARGV[4] the visitor who gets it
--
-- Replies nil if there is no such room, else
--   ['absent']   the first visitor has no place
--   ['drawing']  a draw is running: try again
--   ['kept'], ['renamed']
local PROGRESS = { lobby = 0, waiting = 1, admitted = 2, active = 3 }
local line = openLine()
if not line then return nil end
local from, to = ARGV[3], ARGV[4]

local function isBetter(a, b)
  local ahead = PROGRESS[a.state] - PROGRESS[b.state]
  if ahead ~= 0 then return ahead > 0 end
  -- Places inside have no lane.
  if a.lane == b.lane then return a.number < b.number end
  -- Before a draw two lanes cannot be compared; the priority lane is the better guess.
  if a.state == 'lobby' then return a.lane == 'priority' end
  return positionOf(line, a) < positionOf(line, b)
end

--- The data of waiters is kept by number, that of visitors inside by visitor.
local function giveTo(place)
  if place.state == 'waiting' or place.state == 'lobby' then
    local order = place.state == 'lobby' and line.lobby or place.isAway and line.away or laneKey(line, place.lane)
    local score = place.isAway and awayScore(place.number, place.lane) or string.format('%.0f', place.number)
    redis.call('ZREM', order, from)
    redis.call('ZADD', order, score, to)
    return
  end
  local facts = redis.call('HGET', line.places, from)
  redis.call('HDEL', line.places, from)
  redis.call('HSET', line.places, to, facts)
  redis.call('ZREM', line.active, from)
  redis.call('ZADD', line.active, place.expiresAt, to)
  if redis.call('SREM', line.admitted, from) == 1 then redis.call('SADD', line.admitted, to) end
end

local place = findPlace(line, from)
if not place or from == to then return { 'absent' } end
if line.drawPhase == 'drawing' then return { 'drawing' } end
local other = findPlace(line, to)
if other and isBetter(other, place) then
  removePlace(line, place)
  return { 'kept' }
end
if other then removePlace(line, other) end
giveTo(place)
return { 'renamed' }
