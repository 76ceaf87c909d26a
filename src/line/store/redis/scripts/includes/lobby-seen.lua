--- When the visitor with that arrival came into the lobby and was last seen, and which lane they will stand in.
local function readLobbySeen(line, arrival)
  local from = (arrival - 1) * 16
  local joinedAt, seenAt = struct.unpack('>dd', redis.call('GETRANGE', line.lobbySeen, from, from + 15))
  return math.abs(joinedAt), seenAt, joinedAt < 0 and 'priority' or 'ordinary'
end

local function writeLobbySeen(line, arrival, joinedAt, seenAt, lane)
  local signed = lane == 'priority' and -joinedAt or joinedAt
  redis.call('SETRANGE', line.lobbySeen, (arrival - 1) * 16, struct.pack('>dd', signed, seenAt))
end
