--- @include line
--- The line assigns numbers again, after the last number of tier 1, unless another activation has taken over since. A
--- repeated call changes nothing.
--
-- KEYS    see includes/line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] the activation of tier 1 that has ended
-- ARGV[4] the last number it assigned
--
-- Replies nil if there is no such room, else 1
local line = openLine()
if not line then return nil end
if line.numberedBy == ARGV[3] then redis.call('HDEL', line.room, 'numberedBy') end
local ended = { ARGV[3] }
for activation in string.gmatch(redis.call('HGET', line.room, 'endedActivations') or '', '[^,]+') do
  if activation ~= ARGV[3] and #ended < 10 then ended[#ended + 1] = activation end
end
redis.call('HSET', line.room, 'endedActivations', table.concat(ended, ','))
local nextNumber = math.max(line.nextNumber, tonumber(ARGV[4]) + 1)
redis.call('HSET', line.room, 'nextNumber', string.format('%.0f', nextNumber))
local lanes = countLanes(line)
-- Nobody waits or is away, and no draw is running: line.seen may start at the next number.
if line.drawPhase ~= 'drawing' and lanes.ordinary + lanes.priority == 0 and not line.hasAway then
  redis.call('DEL', line.seen)
  redis.call('HSET', line.room, 'seenFrom', string.format('%.0f', nextNumber))
end
return 1
