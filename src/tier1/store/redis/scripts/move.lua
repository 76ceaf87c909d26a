--- @include time-now
--- @include read-counters
--- One step of activating or deactivating, if it applies to the current state: the translation of rules/move.ts.
--
-- KEYS    as in includes/read-counters.lua
-- ARGV[1] now in ms, '' for the clock of Redis
-- ARGV[2] the expected activation, '' for none
-- ARGV[3] the expected states, separated by commas
-- ARGV[4] the new state
-- ARGV[5] the new activation
-- ARGV[6] new nextPosition and servingCounter, '' keeps both
-- Replies 1 if the step was applied, else 0
local counters = readCounters()
local activation = counters and counters[1] or ''
if activation ~= ARGV[2] then return 0 end
if counters and not string.find(',' .. ARGV[3] .. ',', ',' .. counters[2] .. ',', 1, true) then return 0 end

local now = string.format('%.0f', timeNow())
redis.call('HSET', KEYS[1], 'state', ARGV[4], 'activation', ARGV[5], 'updatedAt', now)
if ARGV[6] ~= '' then
  redis.call('HSET', KEYS[1], 'nextPosition', ARGV[6], 'servingCounter', ARGV[6], 'advancedAt', now)
end
-- Positions belong to one activation only.
if ARGV[4] == 'opening' or ARGV[4] == 'inactive' then redis.call('UNLINK', KEYS[2]) end
return 1
