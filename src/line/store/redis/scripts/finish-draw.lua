--- @include find-drawing
--- Finishes the draw once the lobby is empty. Admission continues from here.
--
-- KEYS[1-10] see includes/line.lua
-- KEYS[11] {eventId}:present  STRING  no longer needed
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] seed of the draw
-- ARGV[4] hash of the list, hex
--
-- Replies 1 if the draw is done, else 0
local line = findDrawing(ARGV[3])
if not line or redis.call('ZCARD', line.lobby) > 0 then return 0 end
-- presentFrom: pages in the lobby poll again within some seconds after the draw.
redis.call('HSET', line.room,
  'drawPhase', 'drawn', 'drawListHash', ARGV[4], 'drawnAt', line.now, 'presentFrom', line.now)
redis.call('UNLINK', KEYS[11], line.lobbySeen)
return 1
