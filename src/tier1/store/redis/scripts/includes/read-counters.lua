--- The counters as a reply: activation, state, nextPosition, servingCounter, advancedAt (strings, so that no digits
--- are lost). nil if the event never had tier 1.
--
-- KEYS[1] vwr:{eventId}:counters   HASH  these five, and updatedAt
-- KEYS[2] vwr:{eventId}:positions  HASH  device -> position, of this activation only
-- ARGV[1] now in ms, '' for the clock of Redis
local function readCounters()
  local names = { 'activation', 'state', 'nextPosition', 'servingCounter', 'advancedAt' }
  local counters = redis.call('HMGET', KEYS[1], unpack(names))
  if not counters[1] then return nil end
  return counters
end
