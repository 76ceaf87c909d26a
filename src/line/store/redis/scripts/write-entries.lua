--- @include find-drawing
--- Writes a part of the sorted list. A repeated call changes nothing.
--
-- KEYS[1-10] see includes/line.lua
-- KEYS[11] {eventId}:entries  STRING  16 bytes per lot, ascending
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] seed of the draw
-- ARGV[4] how many lots come before these
-- ARGV[5] the lots, 16 bytes each
--
-- Replies 1 if they were written, else 0
local line = findDrawing(ARGV[3])
if not line then return 0 end
redis.call('SETRANGE', KEYS[11], ARGV[4] * 16, ARGV[5])
return 1
