--- @include open-line
--- @include join-once
--- @include find-place
--- @include find-strangers
--- @include enter-line
--- @include touch
--- @include write-newcomers
--- @include room-view
--- @include visit-answer
--- @include count-lobby
--- @include count-lanes
--- Visitors come, are seen, ask to enter, or are asked about: all that reached one process in one turn of its event loop,
--- in order.
-- Atomic as a whole. Repeating it finds the places it gave; nobody gets a second one.
--
-- KEYS[1-9] see includes/open-line.lua
-- KEYS[10…] {eventId}:dedupe:{id}, one for each join with an attempt, in order; see includes/join-once.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] JSON, in turn: a verb, the visitor, and what else the verb is given
--   'join', 'join-priority'  id of this attempt, '' where the request has no key; the second in the lane that goes first
--   'look'   '' (notes that they are there)
--   'stay'   '' (as look, but leaves who is admitted as they are)
--   'find'   '' (notes nothing)
--   'enter'  id of the place that is meant, '' for any
--
-- Replies nil if there is no such room, else
--   [view, answers]  with view as in includes/room-view.lua, once for all, and for each in order a line of
--   closed, number-required          nobody may join now; nobody without a number of tier 1's
--   an answer of includes/visit-answer.lua, with the outcome 'joined', 'already', 'duplicate', 'found', 'granted' or
--   'not-ready', its parts with a space between them
-- Asked and answered in one text each, because client and server handle a command and its reply part by part, and those
-- of a crowd have hundreds.
local line = openLine()
if not line then return nil end

local asked = cjson.decode(ARGV[3])
local lanes = countLanes(line)
line.waiting = lanes.ordinary + lanes.priority + countLobby(line)
line.newcomers, line.newcomerBy = {}, {}
local keysUsed = 9

local function isJoin(verb)
  return verb == 'join' or verb == 'join-priority'
end

local function listJoining()
  local visitors = {}
  for i = 1, #asked, 3 do
    if isJoin(asked[i]) then visitors[#visitors + 1] = asked[i + 1] end
  end
  return visitors
end
line.strangers = findStrangers(line, listJoining())

local function join(visitor, isPriority, attempt)
  if attempt == '' then return joinLine(line, visitor, isPriority) end
  keysUsed = keysUsed + 1
  return joinOnce(line, visitor, isPriority, KEYS[keysUsed], attempt)
end

local function visit(verb, visitor, detail)
  if isJoin(verb) then return join(visitor, verb == 'join-priority', detail) end
  if verb == 'enter' then return enterLine(line, visitor, detail) end
  local newcomer = line.newcomerBy[visitor]
  if newcomer then return 'found', newcomer end
  local place = findPlace(line, visitor)
  if place and (verb == 'look' or verb == 'stay' and place.state ~= 'admitted') then touch(line, place) end
  return 'found', place
end

local function answer(outcome, place)
  if outcome == 'closed' or outcome == 'number-required' then return { outcome } end
  return visitAnswer(line, outcome, place)
end

-- With %d, which writes whole numbers: left to itself, Lua writes all as fractions, at thrice the cost.
local formats = { '%s' }
local function toText(parts)
  local count = #parts
  formats[count] = formats[count] or '%s %s' .. string.rep(' %d', count - 2)
  return string.format(formats[count], unpack(parts))
end

local answers = {}
for i = 1, #asked, 3 do
  answers[#answers + 1] = toText(answer(visit(asked[i], asked[i + 1], asked[i + 2])))
end
writeNewcomers(line)
return { roomView(line), table.concat(answers, '\n') }
