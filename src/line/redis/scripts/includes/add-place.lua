--- @include allowance
--- @include take-tokens
--- @include begin-session
--- @include write-seen
--- For whoever might go straight in: takes a token if the room has a rate; false if none is left.
local function takeOne(line)
  if not line.settings.admitPerSecond then return true end
  if allowance(line) < 1 then return false end
  takeTokens(line, 1)
  return true
end

local function mayGoStraightIn(line, phase)
  return phase == 'open'
    and redis.call('ZCARD', line.queue) == 0
    and redis.call('ZCARD', line.active) < line.settings.maxActive
    and takeOne(line)
end

--- A new place: straight in if nobody waits and there is room, else at the end of the line.
local function addPlace(line, visitor, phase)
  local number = line.nextNumber
  line.nextNumber = number + 1
  redis.call('HSET', line.room, 'nextNumber', line.nextNumber)
  local place = { visitor = visitor, number = number, state = 'waiting', joinedAt = line.now, seenAt = line.now }
  if mayGoStraightIn(line, phase) then
    place.admittedAt = line.now
    beginSession(line, place)
  else
    writeSeen(line, number, line.now, line.now)
    redis.call('ZADD', line.queue, number, visitor)
  end
  return place
end
