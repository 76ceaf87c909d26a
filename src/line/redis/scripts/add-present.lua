--- @include find-drawing
--- Puts tickets on the list of those who take part, if nobody else has done so since.
--
-- KEYS[1-8] see includes/open-line.lua
-- KEYS[9] {eventId}:present  STRING  16 bytes per ticket, as they are gathered
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] seed of the draw
-- ARGV[4] up to which arrival the list was gathered before
-- ARGV[5] up to which it is with these
-- ARGV[6] the tickets, 16 bytes each
--
-- Replies 1 if they were put there, else 0
local line = findDrawing(ARGV[3])
if not line then return 0 end
local facts = redis.call('HMGET', line.room, 'drawGatheredTo', 'drawCount')
if tonumber(facts[1]) ~= tonumber(ARGV[4]) then return 0 end
local count = tonumber(facts[2])
redis.call('SETRANGE', KEYS[9], count * 16, ARGV[6])
redis.call('HSET', line.room, 'drawGatheredTo', ARGV[5], 'drawCount', count + #ARGV[6] / 16)
return 1
