--- The place of somebody inside, from what is kept of it; nil if the visitor is not inside.
local function readPlace(line, visitor)
  local facts = redis.call('HGET', line.places, visitor)
  if not facts then return nil end
  local number, joinedAt, admittedAt, activeAt = struct.unpack('>dddd', facts)
  return {
    visitor = visitor,
    state = activeAt == 0 and 'admitted' or 'active',
    number = number,
    joinedAt = joinedAt,
    admittedAt = admittedAt,
    activeAt = activeAt,
    expiresAt = tonumber(redis.call('ZSCORE', line.active, visitor)),
  }
end
