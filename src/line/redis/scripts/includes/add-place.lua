--- @include allowance
--- @include take-tokens
--- @include begin-session
--- @include hold-admission
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
    and redis.call('ZCARD', line.active) < line.settings.maxActive
    and takeOne(line)
end

--- A new place: straight in if nobody waits and there is room, else at the end of the line, among the newcomers that
--- writeNewcomers puts down. Their numbers follow on each other: behind one who waits nobody goes straight in.
local function addPlace(line, visitor, phase)
  local place = { visitor = visitor, number = line.nextNumber, state = 'waiting', joinedAt = line.now }
  line.nextNumber = line.nextNumber + 1
  if mayGoStraightIn(line, phase) then
    redis.call('HSET', line.room, 'nextNumber', line.nextNumber)
    place.admittedAt = line.now
    beginSession(line, place)
    return place
  end
  line.waiting = line.waiting + 1
  place.position = line.waiting
  line.newcomers[#line.newcomers + 1] = place
  line.newcomerBy[visitor] = place
  return place
end
