--- @include open-line
--- Empties the line and the room. Numbers go on from where they were, so that none is given twice.
--
-- KEYS    see includes/open-line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
--
-- Replies nil if there is no such room, else [waiting, inside]: how many were sent away
local line = openLine()
if not line then return nil end
local waiting = redis.call('ZCARD', line.queue)
local inside = redis.call('ZCARD', line.active)
for _, field in ipairs(redis.call('HKEYS', line.room)) do
  if string.sub(field, 1, 6) == 'early:' then redis.call('HDEL', line.room, field) end
end
redis.call('HSET', line.room, 'seenFrom', line.nextNumber, 'sweptTo', 0, 'enteredSeconds', 0)
-- Unlinked, not deleted: freeing a million places takes the server half a second, which it does on the side.
redis.call('UNLINK', line.queue, line.active, line.admitted, line.places, line.seen)
return { waiting, inside }
