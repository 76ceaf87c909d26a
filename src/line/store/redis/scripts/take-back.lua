--- @include open-line
--- @include count-lanes
--- The line gives numbers again, behind the last of tier 1's, unless it was handed over to another activation since.
--- Repeating it changes nothing more.
--
-- KEYS    see includes/open-line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] the activation of tier 1 that is over
-- ARGV[4] the last number that it gave
--
-- Replies nil if there is no such room, else 1
local line = openLine()
if not line then return nil end
if line.numberedBy == ARGV[3] then redis.call('HDEL', line.room, 'numberedBy') end
local nextNumber = math.max(line.nextNumber, tonumber(ARGV[4]) + 1)
redis.call('HSET', line.room, 'nextNumber', string.format('%.0f', nextNumber))
local lanes = countLanes(line)
-- Nobody waits, nor gets a number by lot: the string of those who wait may begin where the numbers go on.
if line.drawPhase ~= 'drawing' and lanes.ordinary + lanes.priority == 0 then
  redis.call('DEL', line.seen)
  redis.call('HSET', line.room, 'seenFrom', string.format('%.0f', nextNumber))
end
return 1
