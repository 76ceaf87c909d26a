--- @include lobby-seen
--- Before the draw: a visitor who is there, without a number.
local function standInLobby(line, visitor, lane)
  local place = { visitor = visitor, number = line.nextArrival, state = 'lobby', joinedAt = line.now, lane = lane }
  line.nextArrival = line.nextArrival + 1
  redis.call('HSET', line.room, 'nextArrival', line.nextArrival)
  redis.call('ZADD', line.lobby, place.number, visitor)
  writeLobbySeen(line, place.number, line.now, line.now, lane)
  return place
end
