--- @include find-drawing
--- @include lobby-seen
--- @include write-seen
--- Takes visitors from the lobby to where their lots say. Who has left meanwhile leaves the number empty. Repeating it
--- finds them gone from the lobby.
--
-- KEYS    see includes/open-line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] seed of the draw
-- ARGV[4…] in turn: the visitor and the number
--
-- Replies how many were taken
local line = findDrawing(ARGV[3])
if not line then return 0 end
local visitors, entries = {}, {}
for i = 4, #ARGV, 2 do
  local visitor, number = ARGV[i], tonumber(ARGV[i + 1])
  local arrival = redis.call('ZSCORE', line.lobby, visitor)
  if arrival then
    visitors[#visitors + 1] = visitor
    entries[#entries + 1] = number
    entries[#entries + 1] = visitor
    writeSeen(line, number, readLobbySeen(line, arrival))
  end
end
if #visitors == 0 then return 0 end
redis.call('ZREM', line.lobby, unpack(visitors))
redis.call('ZADD', line.queue, unpack(entries))
return #visitors
