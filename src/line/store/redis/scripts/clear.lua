--- @include away
--- @include announce-draw
--- Empties the line and the room. Numbering continues, so that no number is assigned twice. A draw that has begun is
--- discarded with its list and a new one announced, because its seed is known.
--
-- KEYS[1-10] see includes/line.lua
-- KEYS[11] {eventId}:present   STRING  see scripts/add-present.lua
-- KEYS[12] {eventId}:entries  STRING  see scripts/write-entries.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] seed of the new draw
-- ARGV[4] its lot key
--
-- Replies nil if there is no such room, else [waiting, inside]: how many were removed
local line = openLine()
if not line then return nil end
local lanes = countLanes(line)
local waiting = lanes.ordinary + lanes.priority + countLobby(line) + countAway(line)
local inside = redis.call('ZCARD', line.active)
for _, field in ipairs(redis.call('HKEYS', line.room)) do
  if string.sub(field, 1, 6) == 'early:' then redis.call('HDEL', line.room, field) end
end
redis.call('HSET', line.room, 'seenFrom', line.nextNumber, 'sweptTo', 0, 'enteredSeconds', 0)
redis.call('HDEL', line.room, 'hasLane', 'prioritySweptTo', 'hasAway', 'awaySweptTo')
-- UNLINK, not DEL: freeing a million places takes half a second, which the server then spends in the background.
redis.call('UNLINK',
  line.queue, line.priority, line.away, line.active, line.admitted, line.places, line.seen, line.lobby,
  line.lobbySeen)
if line.drawPhase and line.drawPhase ~= 'announced' then
  announceDraw(line.room, ARGV[3], ARGV[4])
  redis.call('UNLINK', KEYS[11], KEYS[12])
end
return { waiting, inside }
