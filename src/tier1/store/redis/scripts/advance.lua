--- @include time-now
--- @include read-counters
--- Advances the serving counter by the elapsed time: the translation of rules/advance.ts.
--
-- KEYS    as in includes/read-counters.lua
-- ARGV[1] now in ms, '' for the clock of Redis
-- ARGV[2] batch size
-- ARGV[3] length of a cycle in ms
-- Replies the counters, nil if there are none
local counters = readCounters()
if not counters then return nil end
local now = timeNow()
local advancedAt = tonumber(counters[5])
if counters[2] ~= 'active' or now <= advancedAt then return counters end

local batchSize, cycleMs = tonumber(ARGV[2]), tonumber(ARGV[3])
local spanMs = math.min(now - advancedAt, cycleMs)
local earned = math.floor(spanMs * batchSize / cycleMs)
local wanted = tonumber(counters[4]) + earned
local nextPosition = tonumber(counters[3])
local unpaidMs = spanMs - earned * cycleMs / batchSize
if wanted >= nextPosition then wanted, unpaidMs = nextPosition, 0 end

counters[4] = string.format('%.0f', wanted)
counters[5] = string.format('%.17g', now - unpaidMs)
redis.call('HSET', KEYS[1], 'servingCounter', counters[4], 'advancedAt', counters[5])
return counters
