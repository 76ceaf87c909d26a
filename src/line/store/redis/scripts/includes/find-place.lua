--- @include read-seen
--- @include read-place
--- @include end-place
--- @include hold-admission
--- @include lobby-seen
--- The number of a waiter, and the lane that they stand in.
local function findNumber(line, visitor)
  local number = redis.call('ZSCORE', line.queue, visitor)
  if number then return tonumber(number), 'ordinary' end
  number = line.hasLane and redis.call('ZSCORE', line.priority, visitor)
  if number then return tonumber(number), 'priority' end
end

--- Looks `visitor` up; a claim or session that is over is ended on the way, so that nobody acts on it.
local function findPlace(line, visitor)
  local number, lane = findNumber(line, visitor)
  if number then
    local joinedAt, seenAt = readSeen(line, number)
    return { visitor = visitor, state = 'waiting', number = number, joinedAt = joinedAt, seenAt = seenAt, lane = lane }
  end
  local arrival = holdsAdmission(line) and tonumber(redis.call('ZSCORE', line.lobby, visitor) or nil)
  if arrival then
    local joinedAt, seenAt, lobbyLane = readLobbySeen(line, arrival)
    return {
      visitor = visitor, state = 'lobby', number = arrival, joinedAt = joinedAt, seenAt = seenAt, lane = lobbyLane,
    }
  end
  local place = readPlace(line, visitor)
  if not place or place.expiresAt > line.endingTime then return place end
  endPlace(line, place)
  return nil
end
