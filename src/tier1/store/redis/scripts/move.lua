--- @include time-now
--- @include read-counters
--- One step of switching on or off, if the numbering stands where the step begins: see rules/move.ts.
--
-- KEYS    as in includes/read-counters.lua
-- ARGV[1] now in ms, '' for the server's clock
-- ARGV[2] the activation that must be there, '' for none
-- ARGV[3] states it may be in, separated by commas
-- ARGV[4] the state to be in
-- ARGV[5] the activation from now on
-- ARGV[6] nextPosition and servingCounter from now on, '' leaves both
-- Replies 1 if the step was taken, else 0
local counters = readCounters()
local activation = counters and counters[1] or ''
if activation ~= ARGV[2] then return 0 end
if counters and not string.find(',' .. ARGV[3] .. ',', ',' .. counters[2] .. ',', 1, true) then return 0 end

local now = string.format('%.0f', timeNow())
redis.call('HSET', KEYS[1], 'state', ARGV[4], 'activation', ARGV[5], 'updatedAt', now)
if ARGV[6] ~= '' then
  redis.call('HSET', KEYS[1], 'nextPosition', ARGV[6], 'servingCounter', ARGV[6], 'advancedAt', now)
end
-- Positions of an activation that is over, or has not begun, are nobody's.
if ARGV[4] == 'opening' or ARGV[4] == 'inactive' then redis.call('UNLINK', KEYS[2]) end
return 1
