--- @include open-line
--- @include end-due
--- @include find-place
--- @include touch
--- @include phase-at
--- @include add-place
--- @include write-seen
--- @include room-view
--- A visitor comes with a number that tier 1 gave: it is theirs here too, once. Repeating it finds the place it gave.
--
-- KEYS[1-6] see includes/open-line.lua
-- KEYS[7] {eventId}:exchanged  STRING  a bit for each number of tier 1 that somebody has come with
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] the visitor
-- ARGV[4] the number
--
-- Replies nil if there is no such room, else
--   ['closed']  nobody may join now
--   ['used']    somebody has come with this number before
--   [view, answer]  with view as in includes/room-view.lua, and the answer as in visit.lua
local line = openLine()
if not line then return nil end
local exchanged = KEYS[7]
local visitor, number = ARGV[3], tonumber(ARGV[4])

--- Nothing is kept of numbers that are over, so the string may begin where the numbers are now.
local function startSeenAt()
  if line.waiting > 0 or number < line.seenFrom then return end
  redis.call('DEL', line.seen)
  redis.call('HSET', line.room, 'seenFrom', string.format('%.0f', number))
  line.seenFrom = number
end

local function join()
  endDue(line, 1000)
  local known = findPlace(line, visitor)
  if known then
    touch(line, known)
    return 'already', known
  end
  local phase = phaseAt(line)
  if phase == 'closed' then return 'closed', nil end
  local isUsed = redis.call('GETBIT', exchanged, number) == 1 or redis.call('ZCOUNT', line.queue, number, number) > 0
  if isUsed then return 'used', nil end
  redis.call('SETBIT', exchanged, number, 1)
  line.waiting = redis.call('ZCARD', line.queue)
  startSeenAt()
  return 'joined', placeAt(line, visitor, number, phase)
end

local outcome, place = join()
if not place then return { outcome } end
if place.state ~= 'waiting' then
  local times = { place.joinedAt, place.admittedAt, place.expiresAt }
  return { roomView(line), { outcome, place.state, place.number, unpack(times) } }
end
local position = redis.call('ZRANK', line.queue, visitor) + 1
return { roomView(line), { outcome, place.state, place.number, place.joinedAt, position } }
