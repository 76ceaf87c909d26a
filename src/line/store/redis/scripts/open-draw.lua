--- @include line
--- Reads the progress of the draw, and begins it if it is due.
--
-- KEYS    see includes/line.lua; a draw adds to {eventId}:room
--           drawPhase                  announced, drawing, drawn
--           drawSeed, drawTicketKey    hex; made with the draw
--           drawBeganAt                ms
--           drawFirst, drawSize        the first reserved number, and how many
--           drawGatheredTo, drawCount  the arrival up to which the list is gathered, and its length
--           drawListHash, drawnAt      once it is done
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
--
-- Replies nil if there is no such room or it has no draw, else
--   [phase, seed, lotKey, first, gatheredTo, lastArrival, count, firstInLobby]; firstInLobby: an arrival, 0 for none
local line = openLine()
if not line or not line.drawPhase then return nil end
beginDrawIfDue(line)
local facts = redis.call('HMGET', line.room,
  'drawSeed', 'drawTicketKey', 'drawFirst', 'drawGatheredTo', 'drawCount')
local firstInLobby = redis.call('ZRANGE', line.lobby, 0, 0, 'WITHSCORES')[2]
return {
  line.drawPhase, facts[1], facts[2], tonumber(facts[3]), tonumber(facts[4] or 0), line.nextArrival - 1,
  tonumber(facts[5] or 0), tonumber(firstInLobby or 0),
}
