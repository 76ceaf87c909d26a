--- @include read-counters
--- Advances to an operator's target, never past the last position assigned and never back.
--
-- KEYS    as in includes/read-counters.lua
-- ARGV[1] now in ms, '' for the clock of Redis
-- ARGV[2] target
-- Replies the counters, nil if there are none
local counters = readCounters()
if not counters then return nil end
local target = math.min(tonumber(ARGV[2]), tonumber(counters[3]))
if target > tonumber(counters[4]) then
  counters[4] = string.format('%.0f', target)
  redis.call('HSET', KEYS[1], 'servingCounter', counters[4])
end
return counters
