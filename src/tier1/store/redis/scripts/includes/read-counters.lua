--- How the numbering stands, as it is replied: activation, state, nextPosition, servingCounter, advancedAt (each a text,
--- so that none loses digits). nil if there never was one.
--
-- KEYS[1] vwr:{eventId}:counters   HASH  these five, and updatedAt
-- KEYS[2] vwr:{eventId}:positions  HASH  device -> position, of this activation only
-- ARGV[1] now in ms, '' for the server's clock
local function readCounters()
  local names = { 'activation', 'state', 'nextPosition', 'servingCounter', 'advancedAt' }
  local counters = redis.call('HMGET', KEYS[1], unpack(names))
  if not counters[1] then return nil end
  return counters
end
