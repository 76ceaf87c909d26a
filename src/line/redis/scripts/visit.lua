--- @include open-line
--- @include join-line
--- @include find-place
--- @include touch
--- @include write-newcomers
--- @include room-view
--- @include count-lobby
--- Visitors come, or are seen, or are asked about: all that reached one process in one turn of its event loop, in order.
-- Atomic as a whole. Repeating it finds the places it gave; nobody gets a second one.
--
-- KEYS    see includes/open-line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3…] in turn: 'join', 'look' (notes that they are there) or 'find' (does not), and the visitor
--
-- Replies nil if there is no such room, else
--   [view, [answer, …]]  with view as in includes/room-view.lua, once for all, and for each in order
--   ['closed']                                                        nobody may join now
--   [outcome, 'absent']                                               outcome: 'joined', 'already', 'found'
--   [outcome, 'lobby', arrival, joinedAt]
--   [outcome, 'waiting', number, position, joinedAt]
--   [outcome, 'admitted' or 'active', number, admittedAt, expiresAt]
local line = openLine()
if not line then return nil end

line.waiting = redis.call('ZCARD', line.queue) + countLobby(line)
line.newcomers, line.newcomerBy = {}, {}

local function visit(verb, visitor)
  local newcomer = line.newcomerBy[visitor]
  if newcomer then return verb == 'join' and 'already' or 'found', newcomer end
  if verb == 'join' then return joinLine(line, visitor) end
  local place = findPlace(line, visitor)
  if place and verb == 'look' then touch(line, place) end
  return 'found', place
end

local function answer(outcome, place)
  if outcome == 'closed' then return { outcome } end
  if not place then return { outcome, 'absent' } end
  if place.state == 'lobby' then return { outcome, place.state, place.number, place.joinedAt } end
  if place.state == 'waiting' then
    -- While lots are given, all who have none yet stand before whoever came later.
    local position = place.position or redis.call('ZRANK', line.queue, place.visitor) + 1 + countLobby(line)
    return { outcome, place.state, place.number, position, place.joinedAt }
  end
  return { outcome, place.state, place.number, place.admittedAt, place.expiresAt }
end

local answers = {}
for i = 3, #ARGV, 2 do answers[#answers + 1] = answer(visit(ARGV[i], ARGV[i + 1])) end
writeNewcomers(line)
return { roomView(line), answers }
