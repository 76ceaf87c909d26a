--- @include open-line
--- @include find-known
--- @include begin-draw
--- @include phase-at
--- @include add-place
--- @include stand-last
--- @include write-newcomers
--- @include count-lobby
--- @include count-lanes
--- @include lane-for
--- @include room-view
--- @include visit-answer
--- A visitor comes with a number that tier 1 gave: it is theirs here too, once. Where lots are drawn it only lets them in.
--- Repeating it finds the place it gave.
--
-- KEYS[1-9] see includes/open-line.lua
-- KEYS[10] {eventId}:exchanged  STRING  a bit for each number of tier 1 that somebody has come with
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] the visitor
-- ARGV[4] the number
-- ARGV[5] 1 to stand in the lane that goes first, else 0
--
-- Replies nil if there is no such room, else
--   ['closed']  nobody may join now
--   ['used']    somebody has come with this number before
--   [view, answer]  with view as in includes/room-view.lua, and answer as in includes/visit-answer.lua
local line = openLine()
if not line then return nil end
local exchanged = KEYS[10]
local visitor, number = ARGV[3], tonumber(ARGV[4])

local function isUsed()
  if redis.call('GETBIT', exchanged, number) == 1 then return true end
  if line.drawPhase then return false end
  if redis.call('ZCOUNT', line.queue, number, number) > 0 then return true end
  return line.hasLane and redis.call('ZCOUNT', line.priority, number, number) > 0
end

--- Nothing is kept of numbers that are over, so the string may begin where the numbers are now.
local function startSeenAt()
  if line.waiting > 0 or number < line.seenFrom then return end
  redis.call('DEL', line.seen)
  redis.call('HSET', line.room, 'seenFrom', string.format('%.0f', number))
  line.seenFrom = number
end

local function stand(phase)
  local lanes, lane = countLanes(line), laneFor(line, ARGV[5] == '1')
  line.waiting = lanes.ordinary + lanes.priority + countLobby(line)
  if line.drawPhase then
    line.newcomers, line.newcomerBy = {}, {}
    local place = standLast(line, visitor, lane, phase)
    writeNewcomers(line)
    return place
  end
  startSeenAt()
  return placeAt(line, visitor, number, lane, phase)
end

local function join()
  local known = findKnown(line, visitor)
  if known then return 'already', known end
  beginDrawIfDue(line)
  local phase = phaseAt(line)
  if phase == 'closed' then return 'closed', nil end
  if isUsed() then return 'used', nil end
  redis.call('SETBIT', exchanged, number, 1)
  return 'joined', stand(phase)
end

local outcome, place = join()
if not place then return { outcome } end
return { roomView(line), visitAnswer(line, outcome, place) }
