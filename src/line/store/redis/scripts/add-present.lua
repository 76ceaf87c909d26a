--- @include find-drawing
--- Adds lots to the list of a draw, unless another process has added them already.
--
-- KEYS[1-10] see includes/line.lua
-- KEYS[11] {eventId}:present  STRING  16 bytes per arrival: the lot; zeros for visitors who do not take part
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] seed of the draw
-- ARGV[4] the arrival up to which the list was gathered before
-- ARGV[5] how many lots these are
-- ARGV[6] 16 bytes for each arrival after that
--
-- Replies 1 if they were added, else 0
local line = findDrawing(ARGV[3])
if not line then return 0 end
local from = tonumber(ARGV[4])
if tonumber(redis.call('HGET', line.room, 'drawGatheredTo')) ~= from then return 0 end
redis.call('SETRANGE', KEYS[11], from * 16, ARGV[6])
redis.call('HSET', line.room, 'drawGatheredTo', from + #ARGV[6] / 16)
redis.call('HINCRBY', line.room, 'drawCount', ARGV[5])
return 1
