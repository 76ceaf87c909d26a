--- @include presence
--- @include away
--- @include returned-tokens
--- The places of a line: how each is read, found, seen, entered, ended and removed; new places; what is replied.
--
-- A place is a table: visitor, state ('lobby', 'waiting', 'admitted', 'active'), number (in the lobby: the arrival),
-- joinedAt; of a waiter also lane, isAway, and `sign` where it was read (the last sign of life: includes/presence.lua); of one inside also admittedAt, activeAt, expiresAt,
-- and isUntold while an admitted visitor has not been told so.

--- joinedAt and the last sign of life of the waiter with `number`.
local function readSeen(line, number)
  if number < line.seenFrom then
    local joinedAt, sign = struct.unpack('>dd', redis.call('HGET', line.room, 'early:' .. number))
    return joinedAt, sign
  end
  local from = (number - line.seenFrom) * 16
  local joinedAt, sign = struct.unpack('>dd', redis.call('GETRANGE', line.seen, from, from + 15))
  return joinedAt, sign
end

--- 16 bytes per waiter, where a second sorted set takes over 100. A number that tier 1 assigned long ago may lie before
--- the string; moving megabytes for it would block everyone, so it goes to the room's hash.
local function writeSeen(line, number, joinedAt, sign)
  local times = struct.pack('>dd', joinedAt, sign)
  if number < line.seenFrom then return redis.call('HSET', line.room, 'early:' .. number, times) end
  redis.call('SETRANGE', line.seen, (number - line.seenFrom) * 16, times)
end

--- `number` no longer waits. Its bytes in the string are removed when the string is trimmed.
local function forgetSeen(line, number)
  if number < line.seenFrom then redis.call('HDEL', line.room, 'early:' .. number) end
end

--- joinedAt, the last sign of life and the future lane of the visitor with that arrival in the lobby.
local function readLobbySeen(line, arrival)
  local from = (arrival - 1) * 16
  local joinedAt, sign = struct.unpack('>dd', redis.call('GETRANGE', line.lobbySeen, from, from + 15))
  return math.abs(joinedAt), sign, joinedAt < 0 and 'priority' or 'ordinary'
end

local function writeLobbySeen(line, arrival, joinedAt, sign, lane)
  local signed = lane == 'priority' and -joinedAt or joinedAt
  redis.call('SETRANGE', line.lobbySeen, (arrival - 1) * 16, struct.pack('>dd', signed, sign))
end

--- The place of a visitor who is inside; nil for others.
local function readPlace(line, visitor)
  local facts = redis.call('HGET', line.places, visitor)
  if not facts then return nil end
  local number, joinedAt, admittedAt, activeAt = struct.unpack('>dddd', facts)
  return {
    visitor = visitor,
    state = activeAt == 0 and 'admitted' or 'active',
    number = number,
    joinedAt = joinedAt,
    admittedAt = admittedAt,
    activeAt = activeAt,
    isUntold = #facts > 32,
    expiresAt = tonumber(redis.call('ZSCORE', line.active, visitor)),
  }
end

--- The facts of a place inside, as they are stored. activeAt is 0 until the visitor is seen. A byte behind the four numbers
--- marks a visitor who was not told: a process of an earlier version reads the numbers alone.
local function packPlace(place)
  local facts = struct.pack('>dddd', place.number, place.joinedAt, place.admittedAt, place.activeAt)
  return place.isUntold and facts .. 'u' or facts
end

local function writePlace(line, place, expiresAt)
  place.expiresAt = expiresAt
  redis.call('HSET', line.places, place.visitor, packPlace(place))
  redis.call('ZADD', line.active, expiresAt, place.visitor)
end

--- Removes a place for any reason. Its number is never assigned again.
local function removePlace(line, place)
  if place.state == 'waiting' then
    local key = place.isAway and line.away or laneKey(line, place.lane)
    redis.call('ZREM', key, place.visitor)
    -- A visitor who was passed over has counted as departed since.
    if not place.isAway then redis.call('HINCRBY', line.room, 'departed', 1) end
    forgetSeen(line, place.number)
    return
  end
  if place.state == 'lobby' then
    redis.call('ZREM', line.lobby, place.visitor)
    return
  end
  redis.call('ZREM', line.active, place.visitor)
  redis.call('SREM', line.admitted, place.visitor)
  redis.call('HDEL', line.places, place.visitor)
  redis.call('HINCRBY', line.room, 'freed', 1)
  redis.call('HINCRBY', line.room, 'enteredSeconds', -math.floor(place.admittedAt / 1000))
end

--- Ends a claim or a session that is over.
local function endPlace(line, place)
  local isNoShow = place.state == 'admitted'
  redis.call('HINCRBY', line.room, isNoShow and 'noShows' or 'ended', 1)
  if isNoShow then returnToken(line) end
  removePlace(line, place)
end

--- Ends at most `limit` claims and sessions that are over. True if it stopped at the limit.
local function endDue(line, limit)
  local due = redis.call('ZRANGEBYSCORE', line.active, '-inf', line.endingTime, 'LIMIT', 0, limit)
  for _, visitor in ipairs(due) do endPlace(line, readPlace(line, visitor)) end
  return #due == limit
end

--- The number and lane of a waiter, and whether they are away.
local function findNumber(line, visitor)
  local number = redis.call('ZSCORE', line.queue, visitor)
  if number then return tonumber(number), 'ordinary', false end
  number = line.hasLane and redis.call('ZSCORE', line.priority, visitor)
  if number then return tonumber(number), 'priority', false end
  local away, lane = findAway(line, visitor)
  return away, lane, true
end

--- Finds the visitor's place. Ends a claim or session that is over, so that no script acts on it.
local function findPlace(line, visitor)
  local number, lane, isAway = findNumber(line, visitor)
  if number then
    local joinedAt, sign = readSeen(line, number)
    return {
      visitor = visitor, state = 'waiting', number = number, joinedAt = joinedAt, sign = sign, lane = lane,
      isAway = isAway,
    }
  end
  local arrival = holdsAdmission(line) and tonumber(redis.call('ZSCORE', line.lobby, visitor) or nil)
  if arrival then
    local joinedAt, sign, lobbyLane = readLobbySeen(line, arrival)
    return {
      visitor = visitor, state = 'lobby', number = arrival, joinedAt = joinedAt, sign = sign, lane = lobbyLane,
    }
  end
  local place = readPlace(line, visitor)
  if not place or place.expiresAt > line.endingTime then return place end
  endPlace(line, place)
  return nil
end

--- Whether the place is in the lobby or its number was drawn.
local function isFromLobby(line, place)
  if place.state == 'lobby' then return true end
  if not line.drawPhase then return false end
  local lots = redis.call('HMGET', line.room, 'drawFirst', 'drawSize')
  local first, size = tonumber(lots[1]), tonumber(lots[2])
  return place.number >= first and place.number < first + size
end

--- Whether `id` names the place: by its number, or by joinedAt if it was given before the draw. '' names any place.
local function isNamed(line, place, id)
  if id == '' then return true end
  if id == string.format('%s.@%.0f', line.epoch, place.joinedAt) then return isFromLobby(line, place) end
  return place.state ~= 'lobby' and id == string.format('%s.%.0f', line.epoch, place.number)
end

--- The position of a waiter; 1 is next. New places already know their rank and, with one lane, their position. One who is
--- away has the position that coming back would bring.
local function positionOf(line, place)
  if place.position and (not line.hasLane or place.isHeard) then return place.position end
  local key = laneKey(line, place.lane)
  local rank = place.rank
  if place.isAway then rank = redis.call('ZCOUNT', key, '-inf', string.format('(%.0f', place.number)) + 1 end
  rank = rank or redis.call('ZRANK', key, place.visitor) + 1
  -- During a draw, all in the lobby come before visitors who joined later.
  return countLobby(line) + (line.hasLane and positionAt(line, place.lane, rank, place.number) or rank)
end

--- Notes a sign of life of a waiter. One who was away is back.
local function hear(line, place)
  if place.isAway then comeBack(line, place) end
  place.position, place.isHeard = positionOf(line, place), true
  writeSeen(line, place.number, place.joinedAt, signAt(line, place.position))
end

--- When a session that is seen now ends: after activeTtlMs, within its cap.
local function sessionEnd(line, place)
  local settings = line.settings
  local from = settings.renew and line.now or place.activeAt
  return math.min(from + settings.activeTtlMs, place.activeAt + settings.activeMaxTtlMs)
end

--- When the admission of a visitor who does not ask ends: rules/sessions.ts.
local function untoldEnd(line)
  local settings = line.settings
  local leastMs = settings.admission == 'claim' and math.min(settings.seenTtlMs, 90000) or 0
  return line.now + math.max(settings.claimTtlMs, leastMs)
end

--- The visitor learns that it is their turn, and has claimTtlMs from now on; once: rules/sessions.ts.
local function tell(line, place)
  if not place.isUntold then return end
  place.isUntold = false
  writePlace(line, place, line.now + line.settings.claimTtlMs)
end

--- The visitor is admitted and present.
local function beginSession(line, place)
  if place.state == 'admitted' then redis.call('SREM', line.admitted, place.visitor) end
  place.isUntold = false
  place.state = 'active'
  place.activeAt = line.now
  writePlace(line, place, sessionEnd(line, place))
end

--- Notes that the visitor is present: a waiter keeps the place, an admitted visitor becomes active, a session is renewed.
--- In a claim room being present is not entering: a ready visitor is told so, and stays ready.
local function touch(line, place)
  if place.state == 'waiting' then return hear(line, place) end
  if place.state == 'lobby' then
    return writeLobbySeen(line, place.number, place.joinedAt, lobbySign(line), place.lane)
  end
  if place.state == 'admitted' then
    if line.settings.admission == 'auto' then beginSession(line, place) else tell(line, place) end
    return
  end
  -- Never shortened: a token already promises its end, even if an operator shortens sessions.
  local expiresAt = sessionEnd(line, place)
  if expiresAt <= place.expiresAt then return end
  place.expiresAt = expiresAt
  redis.call('ZADD', line.active, expiresAt, place.visitor)
end

--- The visitor's existing place, touched. Visitors in line.strangers are known to have none.
local function findKnown(line, visitor)
  -- Time does not pass within a script, so once is enough for all its visitors.
  if not line.hasEndedDue then endDue(line, 1000) end
  line.hasEndedDue = true
  if line.strangers and line.strangers[visitor] then return nil end
  local known = findPlace(line, visitor)
  if known then touch(line, known) end
  return known
end

--- Whether a new visitor goes straight in. Takes a token if the room has a rate.
local function mayGoStraightIn(line, phase)
  if phase ~= 'open' or line.waiting > 0 or holdsAdmission(line) then return false end
  if countFree(line) < 1 or isTooEarly(line, line.now) then return false end
  if not line.settings.admitPerSecond then return true end
  if allowance(line) < 1 then return false end
  takeTokens(line, 1)
  return true
end

--- Admits a visitor who is present: straight to a session, or in a claim room to being ready.
local function admitAtOnce(line, place)
  place.admittedAt = line.now
  redis.call('HINCRBY', line.room, 'enteredSeconds', math.floor(line.now / 1000))
  if line.settings.admission ~= 'claim' then return beginSession(line, place) end
  place.state = 'admitted'
  place.activeAt = 0
  redis.call('SADD', line.admitted, place.visitor)
  writePlace(line, place, line.now + line.settings.claimTtlMs)
end

--- The lane of a new place: without a share for it, a room has no priority lane.
local function laneFor(line, isPriority)
  return isPriority and line.settings.priorityShare > 0 and 'priority' or 'ordinary'
end

local function countInLane(line, lane)
  line.lanes[lane] = line.lanes[lane] + 1
  if lane == 'priority' then line.hasLane = true end
end

--- A place in the lobby, before the draw, without a number.
local function addLobbyPlace(line, visitor, lane)
  local place = { visitor = visitor, number = line.nextArrival, state = 'lobby', joinedAt = line.now, lane = lane }
  line.nextArrival = line.nextArrival + 1
  redis.call('HSET', line.room, 'nextArrival', line.nextArrival)
  redis.call('ZADD', line.lobby, place.number, visitor)
  writeLobbySeen(line, place.number, line.now, lobbySign(line), lane)
  return place
end

--- A new place: in the lobby before a draw; else straight in if nobody waits and a slot is free; else at the end of the
--- lane, in line.newPlaces. Their numbers are consecutive: behind a waiter nobody goes straight in.
local function addPlace(line, visitor, lane, phase)
  if line.drawPhase == 'announced' then return addLobbyPlace(line, visitor, lane) end
  local place = { visitor = visitor, number = line.nextNumber, state = 'waiting', joinedAt = line.now, lane = lane }
  line.nextNumber = line.nextNumber + 1
  if mayGoStraightIn(line, phase) then
    redis.call('HSET', line.room, 'nextNumber', line.nextNumber)
    admitAtOnce(line, place)
    return place
  end
  line.waiting = line.waiting + 1
  place.position = line.waiting
  countInLane(line, lane)
  place.rank = line.lanes[lane]
  line.newPlaces[#line.newPlaces + 1] = place
  line.newPlaceOf[visitor] = place
  return place
end

--- Writes line.newPlaces with one command per key, however many they are.
local function writeNewPlaces(line)
  local count = #line.newPlaces
  if count == 0 then return end
  local from = (line.newPlaces[1].number - line.seenFrom) * 16
  local times, packed = {}, {}
  local entries = { ordinary = {}, priority = {} }
  for _, place in ipairs(line.newPlaces) do
    local lane = entries[place.lane]
    lane[#lane + 1] = string.format('%d', place.number)
    lane[#lane + 1] = place.visitor
    local sign = signAt(line, positionOf(line, place))
    packed[sign] = packed[sign] or struct.pack('>dd', line.now, sign)
    times[#times + 1] = packed[sign]
  end
  redis.call('SETRANGE', line.seen, from, table.concat(times))
  redis.call('HSET', line.room, 'nextNumber', line.nextNumber)
  if #entries.ordinary > 0 then redis.call('ZADD', line.queue, unpack(entries.ordinary)) end
  if #entries.priority == 0 then return end
  redis.call('HSET', line.room, 'hasLane', 1)
  redis.call('ZADD', line.priority, unpack(entries.priority))
end

--- The reply about a place; the last 1 marks the priority lane:
--   [outcome, 'absent']
--   [outcome, 'lobby', arrival, joinedAt, 1?]
--   [outcome, 'waiting', number, joinedAt, position, 1?]
--   [outcome, 'admitted' or 'active', number, joinedAt, admittedAt, expiresAt]
local function toAnswer(line, outcome, place)
  if not place then return { outcome, 'absent' } end
  local mark = place.lane == 'priority' and 1 or nil
  if place.state == 'lobby' then return { outcome, place.state, place.number, place.joinedAt, mark } end
  if place.state == 'waiting' then
    return { outcome, place.state, place.number, place.joinedAt, positionOf(line, place), mark }
  end
  -- One who was not told may have more time, but the next request may shorten that to claimTtlMs.
  local promised = line.now + line.settings.claimTtlMs
  local expiresAt = place.isUntold and math.min(place.expiresAt, promised) or place.expiresAt
  return { outcome, place.state, place.number, place.joinedAt, place.admittedAt, expiresAt }
end
