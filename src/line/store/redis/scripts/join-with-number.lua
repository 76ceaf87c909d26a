--- @include places
--- A visitor joins with a number that tier 1 assigned: it becomes their number here, once. In a room with a draw it only
--- entitles them to join. Sent again after a lost reply, it finds the place that it made, and says so.
--
-- KEYS[1-10] see includes/line.lua
-- KEYS[11] {eventId}:exchanged  STRING  one bit per number of tier 1 that was used
-- KEYS[12] {eventId}:attempt:{id}  STRING  1 if this call made a place; kept for 10 s
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] the visitor
-- ARGV[4] the number
-- ARGV[5] 1 to join the priority lane, else 0
--
-- Replies nil if there is no such room, else
--   ['closed']  nobody may join now
--   ['used']    the number was used before
--   [view, answer]  see roomView in includes/line.lua and toAnswer in includes/places.lua
local line = openLine()
if not line then return nil end
local exchanged, attempt = KEYS[11], KEYS[12]
local visitor, number = ARGV[3], tonumber(ARGV[4])

local function isUsed()
  if redis.call('GETBIT', exchanged, number) == 1 then return true end
  if line.drawPhase then return false end
  if redis.call('ZCOUNT', line.queue, number, number) > 0 then return true end
  if line.hasLane and redis.call('ZCOUNT', line.priority, number, number) > 0 then return true end
  return line.hasAway and redis.call('ZCOUNT', line.away, number, number + 0.5) > 0
end

--- While nobody waits or is away, line.seen is empty of meaning and may start at the current numbers.
local function startSeenAt()
  if line.waiting > 0 or line.hasAway or number < line.seenFrom then return end
  redis.call('DEL', line.seen)
  redis.call('HSET', line.room, 'seenFrom', string.format('%.0f', number))
  line.seenFrom = number
end

--- A new place with this number, which may be anywhere in the lane.
local function addNumberedPlace(lane, phase)
  local place = { visitor = visitor, number = number, state = 'waiting', joinedAt = line.now, lane = lane }
  line.nextNumber = math.max(line.nextNumber, number + 1)
  redis.call('HSET', line.room, 'nextNumber', string.format('%.0f', line.nextNumber))
  if mayGoStraightIn(line, phase) then
    admitAtOnce(line, place)
    return place
  end
  countInLane(line, lane)
  if lane == 'priority' then redis.call('HSET', line.room, 'hasLane', 1) end
  local key = laneKey(line, lane)
  redis.call('ZADD', key, number, visitor)
  hear(line, place)
  return place
end

local function addNewPlace(phase)
  local lanes, lane = countLanes(line), laneFor(line, ARGV[5] == '1')
  line.waiting = lanes.ordinary + lanes.priority + countLobby(line)
  if line.drawPhase then
    line.newPlaces, line.newPlaceOf = {}, {}
    local place = addPlace(line, visitor, lane, phase)
    writeNewPlaces(line)
    return place
  end
  startSeenAt()
  return addNumberedPlace(lane, phase)
end

local function join()
  local known = findKnown(line, visitor)
  if redis.call('GET', attempt) then return 'joined', known end
  if known then return 'already', known end
  beginDrawIfDue(line)
  local phase = phaseAt(line)
  if phase == 'closed' then return 'closed', nil end
  if isUsed() then return 'used', nil end
  redis.call('SETBIT', exchanged, number, 1)
  redis.call('SET', attempt, 1, 'PX', 10000)
  return 'joined', addNewPlace(phase)
end

local outcome, place = join()
if outcome == 'closed' or outcome == 'used' then return { outcome } end
return { roomView(line), toAnswer(line, outcome, place) }
