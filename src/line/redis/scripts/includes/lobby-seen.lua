--- When the visitor with that arrival came into the lobby and was last seen.
local function readLobbySeen(line, arrival)
  local from = (arrival - 1) * 16
  local joinedAt, seenAt = struct.unpack('>dd', redis.call('GETRANGE', line.lobbySeen, from, from + 15))
  return joinedAt, seenAt
end

local function writeLobbySeen(line, arrival, joinedAt, seenAt)
  redis.call('SETRANGE', line.lobbySeen, (arrival - 1) * 16, struct.pack('>dd', joinedAt, seenAt))
end
