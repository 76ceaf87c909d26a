--- @include find-drawing
--- Moves visitors from the lobby into the line with the numbers drawn for them, each in their own lane. The number of a
--- visitor who has left stays unused. A repeated call finds them gone from the lobby.
--
-- KEYS    see includes/line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] seed of the draw
-- ARGV[4] the arrival before the first of them
-- ARGV[5] the number of each arrival, a double; 0 for visitors who are not on the list
--
-- Replies how many were moved
local line = findDrawing(ARGV[3])
if not line then return 0 end
local from, numbers = tonumber(ARGV[4]), ARGV[5]
local to = from + #numbers / 8
local found = redis.call('ZRANGEBYSCORE', line.lobby, from + 1, to, 'WITHSCORES')
if #found == 0 then return 0 end
local seen = redis.call('GETRANGE', line.lobbySeen, from * 16, to * 16 - 1)
local ordinary, priority = {}, {}
for i = 1, #found, 2 do
  local nth = found[i + 1] - from
  local number = struct.unpack('>d', numbers, nth * 8 - 7)
  local times = string.sub(seen, nth * 16 - 15, nth * 16)
  local joinedAt, sign = struct.unpack('>dd', times)
  local entries = joinedAt < 0 and priority or ordinary
  entries[#entries + 1] = number
  entries[#entries + 1] = found[i]
  if joinedAt < 0 then times = struct.pack('>dd', -joinedAt, sign) end
  redis.call('SETRANGE', line.seen, (number - line.seenFrom) * 16, times)
end
redis.call('ZREMRANGEBYSCORE', line.lobby, from + 1, to)
if #ordinary > 0 then redis.call('ZADD', line.queue, unpack(ordinary)) end
if #priority > 0 then
  redis.call('HSET', line.room, 'hasLane', 1)
  redis.call('ZADD', line.priority, unpack(priority))
end
return #found / 2
