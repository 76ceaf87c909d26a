--- Puts down a place inside and when it ends. Who has not shown up yet has activeAt 0.
local function writePlace(line, place, expiresAt)
  place.expiresAt = expiresAt
  local facts = struct.pack('>dddd', place.number, place.joinedAt, place.admittedAt, place.activeAt)
  redis.call('HSET', line.places, place.visitor, facts)
  redis.call('ZADD', line.active, expiresAt, place.visitor)
end
