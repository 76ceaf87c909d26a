--- @include find-drawing
--- Takes those who came behind an arrival from the lobby to where their lots say. Who has left meanwhile leaves the number
--- empty. Repeating it finds them gone from the lobby.
--
-- KEYS    see includes/open-line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] seed of the draw
-- ARGV[4] behind which arrival to begin
-- ARGV[5] the number of each arrival, a double; 0 for who is not on the list
--
-- Replies how many were taken
local line = findDrawing(ARGV[3])
if not line then return 0 end
local from, numbers = tonumber(ARGV[4]), ARGV[5]
local to = from + #numbers / 8
local found = redis.call('ZRANGEBYSCORE', line.lobby, from + 1, to, 'WITHSCORES')
if #found == 0 then return 0 end
local seen = redis.call('GETRANGE', line.lobbySeen, from * 16, to * 16 - 1)
local entries = {}
for i = 1, #found, 2 do
  local nth = found[i + 1] - from
  local number = struct.unpack('>d', numbers, nth * 8 - 7)
  entries[i], entries[i + 1] = number, found[i]
  redis.call('SETRANGE', line.seen, (number - line.seenFrom) * 16, string.sub(seen, nth * 16 - 15, nth * 16))
end
redis.call('ZREMRANGEBYSCORE', line.lobby, from + 1, to)
redis.call('ZADD', line.queue, unpack(entries))
return #entries / 2
