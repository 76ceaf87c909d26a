--- @include places
--- Visitors join, are seen, enter, or are looked up: all visits that reached one process in one turn of its event loop,
--- in order. Atomic as a whole. Sent again after a lost reply, it finds the places that it made, and says so; nobody gets
--- a second one.
--
-- KEYS[1-10] see includes/line.lua
-- KEYS[11] {eventId}:attempt:{id}  STRING  which visits of this call made a place: a character for each, 1 or 0; kept for
--                                          10 s, longer than a call is sent again; not given where nobody joins
-- KEYS[12…] {eventId}:dedupe:{id}  STRING  'expiresAt attempt outcome', kept for 300 s; one key for each join with an
--                                          attempt, in order
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] JSON array, three items per visit: verb, visitor, detail
--   'join', 'join-priority'  detail: id of this attempt, '' where the request has no key; the second joins the priority lane
--   'look'   '' (counts as a sign of life)
--   'stay'   token id of the place that is meant, '' for any (as look, but an admitted visitor stays admitted)
--   'sign'   '' (only a sign of life: an admitted visitor is told nothing and stays as they are)
--   'find'   '' (not a sign of life)
--   'enter'  id of the place that is meant, '' for any
-- ARGV[4] the tag of the view that the caller has, '' for none
--
-- Replies nil if there is no such room, else [answers, view, tag] or, if the caller has the view, [answers, counts]
--   view: see roomView in includes/line.lua, once for all visits; tag: see viewTag there
--   counts: now, waiting, admitted, active, away, by which the view differs from the one that the caller has
--   answers: one line of text per visit, in order:
--     closed, number-required   nobody may join now; only with a number of tier 1
--     else toAnswer of includes/places.lua, joined by spaces, with the outcome 'joined', 'already', 'duplicate', 'found',
--     'granted' or 'not-ready'
-- One text each way: client and server handle commands and replies part by part, and a crowd has hundreds of parts.
local line = openLine()
if not line then return nil end

local visits = cjson.decode(ARGV[3])
local lanes = countLanes(line)
line.waiting = lanes.ordinary + lanes.priority + countLobby(line)
line.newPlaces, line.newPlaceOf = {}, {}
local attempt = KEYS[11]
local madeBefore = attempt and redis.call('GET', attempt)
local keysUsed = 11

local function isJoin(verb)
  return verb == 'join' or verb == 'join-priority'
end

--- The joining visitors who have no place, found with one command per key: calling out of a script costs more than the
--- lookup. Empty where more keys would have to be searched; then each is looked up in turn.
local function findStrangers()
  local strangers, visitors = {}, {}
  for i = 1, #visits, 3 do
    if isJoin(visits[i]) then visitors[#visitors + 1] = visits[i + 1] end
  end
  if #visitors == 0 or line.hasLane or holdsAdmission(line) then return strangers end
  local numbers = redis.call('ZMSCORE', line.queue, unpack(visitors))
  local places = redis.call('HMGET', line.places, unpack(visitors))
  local away = line.hasAway and redis.call('ZMSCORE', line.away, unpack(visitors)) or {}
  for i, visitor in ipairs(visitors) do
    if not numbers[i] and not places[i] and not away[i] then strangers[visitor] = true end
  end
  return strangers
end
line.strangers = findStrangers()

--- The visitor's place, touched unless it is new.
local function look(visitor)
  local newPlace = line.newPlaceOf[visitor]
  if newPlace then return newPlace end
  local place = findPlace(line, visitor)
  if place then touch(line, place) end
  return place
end

--- Whether this visit made a place when the same call came before. The place may be gone since.
local function wasMade(index)
  return madeBefore and string.sub(madeBefore, index, index) == '1'
end

--- Returns the outcome ('joined', 'already', 'closed', 'number-required') and the place.
local function joinLine(visitor, isPriority, index)
  if wasMade(index) then return 'joined', look(visitor) end
  local known = line.newPlaceOf[visitor] or findKnown(line, visitor)
  if known then return 'already', known end
  beginDrawIfDue(line)
  local phase = phaseAt(line)
  if phase == 'closed' then return 'closed', nil end
  if line.numberedBy then return 'number-required', nil end
  line.strangers[visitor] = nil
  return 'joined', addPlace(line, visitor, laneFor(line, isPriority), phase)
end

--- As joinLine, or 'duplicate' if the request was made before. `name` is that of this attempt: sent again after a lost
--- reply, it gets the same reply.
local function joinOnce(visitor, isPriority, index, dedupe, name)
  local expiresAt, by, before = string.match(redis.call('GET', dedupe) or '', '^(%d+) (%S+) (%S+)$')
  if expiresAt and tonumber(expiresAt) > line.now then
    return by == name and before or 'duplicate', look(visitor)
  end
  local outcome, place = joinLine(visitor, isPriority, index)
  if place then
    local value = string.format('%.0f %s %s', line.now + 300000, name, outcome)
    redis.call('SET', dedupe, value, 'PX', 300000)
  end
  return outcome, place
end

local function join(visitor, isPriority, index, name)
  if name == '' then return joinLine(visitor, isPriority, index) end
  keysUsed = keysUsed + 1
  return joinOnce(visitor, isPriority, index, KEYS[keysUsed], name)
end

--- 'granted' to an admitted visitor, whatever has happened to the room since, and again to one who is inside; else
--- 'not-ready'. Returns the outcome and the place.
local function enter(visitor, placeId)
  local newPlace = line.newPlaceOf[visitor]
  if newPlace then return 'not-ready', isNamed(line, newPlace, placeId) and newPlace or nil end
  local place = findPlace(line, visitor)
  if not place or not isNamed(line, place, placeId) then return 'not-ready', nil end
  if place.state == 'admitted' then beginSession(line, place) else touch(line, place) end
  local waits = place.state == 'waiting' or place.state == 'lobby'
  return waits and 'not-ready' or 'granted', place
end

--- The visitor's place, touched if `tokenId` names it; an admitted visitor is told so if no place is named. In the lobby a
--- place has no number yet, and so no token.
local function stay(visitor, tokenId)
  local place = line.newPlaceOf[visitor]
  if place then return place end
  place = findPlace(line, visitor)
  if not place then return nil end
  if place.state == 'admitted' then
    if tokenId == '' then tell(line, place) end
    return place
  end
  local ownId = place.state ~= 'lobby' and string.format('%s.%.0f', line.epoch, place.number)
  if tokenId == '' or tokenId == ownId then touch(line, place) end
  return place
end

--- The visitor's place, touched unless it is that of an admitted visitor.
local function sign(visitor)
  local place = line.newPlaceOf[visitor]
  if place then return place end
  place = findPlace(line, visitor)
  if place and place.state ~= 'admitted' then touch(line, place) end
  return place
end

local function visit(index, verb, visitor, detail)
  if isJoin(verb) then return join(visitor, verb == 'join-priority', index, detail) end
  if verb == 'enter' then return enter(visitor, detail) end
  if verb == 'look' then return 'found', look(visitor) end
  if verb == 'stay' then return 'found', stay(visitor, detail) end
  if verb == 'sign' then return 'found', sign(visitor) end
  return 'found', line.newPlaceOf[visitor] or findPlace(line, visitor)
end

local function answer(outcome, place)
  if outcome == 'closed' or outcome == 'number-required' then return { outcome } end
  return toAnswer(line, outcome, place)
end

-- %d writes whole numbers. By default Lua writes all numbers as fractions, at three times the cost.
local formats = { '%s' }
local function toText(parts)
  local count = #parts
  formats[count] = formats[count] or '%s %s' .. string.rep(' %d', count - 2)
  return string.format(formats[count], unpack(parts))
end

local answers, made, hasMade = {}, {}, false
for i = 1, #visits, 3 do
  local index = #answers + 1
  local outcome, place = visit(index, visits[i], visits[i + 1], visits[i + 2])
  answers[index] = toText(answer(outcome, place))
  local isMade = outcome == 'joined'
  made[index] = isMade and '1' or '0'
  hasMade = hasMade or isMade
end
writeNewPlaces(line)
if hasMade then redis.call('SET', attempt, table.concat(made), 'PX', 10000) end
local text = table.concat(answers, '\n')
local tag = viewTag(line)
if tag ~= ARGV[4] then return { text, roomView(line), tag } end
local waiting, inside, admitted, away = countCrowd(line)
return { text, string.format('%.0f %d %d %d %d', line.now, waiting, admitted, inside - admitted, away) }
