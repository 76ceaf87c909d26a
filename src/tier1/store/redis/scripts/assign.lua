--- @include time-now
--- @include read-counters
--- Returns a position for each device: the one it has, or the next. None while tier 1 is not active.
--
-- KEYS    as in includes/read-counters.lua
-- ARGV[1] now in ms, '' for the clock of Redis
-- ARGV[2] how long positions are kept after the last assignment, in ms
-- ARGV[3…] devices
-- Replies nil while tier 1 is not active, else {counters, positions in the order of the devices}
local counters = readCounters()
if not counters or counters[2] ~= 'active' then return nil end

local first = tonumber(counters[3])
local nextPosition = first
local positions, entries = {}, {}
local given = {}
for i = 3, #ARGV do
  local device = ARGV[i]
  local position = given[device] or tonumber(redis.call('HGET', KEYS[2], device) or nil)
  if not position then
    nextPosition = nextPosition + 1
    position = nextPosition
    given[device] = position
    entries[#entries + 1] = device
    entries[#entries + 1] = string.format('%.0f', position)
  end
  positions[#positions + 1] = position
end

if nextPosition > first then
  counters[3] = string.format('%.0f', nextPosition)
  redis.call('HSET', KEYS[1], 'nextPosition', counters[3], 'updatedAt', string.format('%.0f', timeNow()))
  -- In slices: unpack is limited by the size of the Lua stack.
  for i = 1, #entries, 2000 do redis.call('HSET', KEYS[2], unpack(entries, i, math.min(i + 1999, #entries))) end
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
end
return { counters, positions }
