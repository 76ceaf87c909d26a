--- @include allowance
--- @include take-tokens
--- @include free-slots
--- @include begin-session
--- @include hold-admission
--- @include write-seen
--- @include write-place
--- @include lane-key
--- For whoever might go straight in: takes a token if the room has a rate; false if none is left.
local function takeOne(line)
  if not line.settings.admitPerSecond then return true end
  if allowance(line) < 1 then return false end
  takeTokens(line, 1)
  return true
end

local function mayGoStraightIn(line, phase)
  return phase == 'open'
    and line.waiting == 0
    and not holdsAdmission(line)
    and countFree(line) > 0
    and not isTooEarly(line, line.now)
    and takeOne(line)
end

--- Lets somebody in who is there right now: straight to a session, or in a claim room to being ready for one.
local function admitAtOnce(line, place)
  place.admittedAt = line.now
  redis.call('HINCRBY', line.room, 'enteredSeconds', math.floor(line.now / 1000))
  if line.settings.admission ~= 'claim' then return beginSession(line, place) end
  place.state = 'admitted'
  place.activeAt = 0
  redis.call('SADD', line.admitted, place.visitor)
  writePlace(line, place, line.now + line.settings.claimTtlMs)
end

local function standInLane(line, lane)
  line.lanes[lane] = line.lanes[lane] + 1
  if lane == 'priority' then line.hasLane = true end
end

--- A new place: straight in if nobody waits and there is room, else at the end of the lane, among the newcomers that
--- writeNewcomers puts down. Their numbers follow on each other: behind one who waits nobody goes straight in.
local function addPlace(line, visitor, lane, phase)
  local place = { visitor = visitor, number = line.nextNumber, state = 'waiting', joinedAt = line.now, lane = lane }
  line.nextNumber = line.nextNumber + 1
  if mayGoStraightIn(line, phase) then
    redis.call('HSET', line.room, 'nextNumber', line.nextNumber)
    admitAtOnce(line, place)
    return place
  end
  line.waiting = line.waiting + 1
  place.position = line.waiting
  standInLane(line, lane)
  place.rank = line.lanes[lane]
  line.newcomers[#line.newcomers + 1] = place
  line.newcomerBy[visitor] = place
  return place
end

--- The same with a number of tier 1's, which may lie anywhere in the lane.
local function placeAt(line, visitor, number, lane, phase)
  local place = { visitor = visitor, number = number, state = 'waiting', joinedAt = line.now, lane = lane }
  line.nextNumber = math.max(line.nextNumber, number + 1)
  redis.call('HSET', line.room, 'nextNumber', string.format('%.0f', line.nextNumber))
  if mayGoStraightIn(line, phase) then
    admitAtOnce(line, place)
    return place
  end
  standInLane(line, lane)
  if lane == 'priority' then redis.call('HSET', line.room, 'hasLane', 1) end
  writeSeen(line, number, line.now, line.now)
  local key = laneKey(line, lane)
  redis.call('ZADD', key, number, visitor)
  return place
end
