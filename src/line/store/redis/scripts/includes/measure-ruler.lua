--- @include count-lobby
--- @include lane-key
--- @include position-of
--- The ruler of a lane, as JSON arrays of numbers and of their ranks: each of the first 100, then geometric, then the
--- last. Some 570 marks however long the lane is. Where there are two, ranks are positions among all who wait.
local function measureRuler(line, lane)
  -- Those who are still to be given their numbers stand before the line.
  local before = countLobby(line)
  local key = laneKey(line, lane)
  local length = redis.call('ZCARD', key)
  local numbers, ranks = {}, {}
  local function mark(number, rank)
    local position = line.hasLane and positionAt(line, lane, rank, number) or rank
    numbers[#numbers + 1] = number
    ranks[#ranks + 1] = position + before
  end
  local heads = redis.call('ZRANGE', key, 0, 99, 'WITHSCORES')
  for i = 2, #heads, 2 do mark(heads[i], i / 2) end
  local step = math.min(1.02, (length / 100) ^ (1 / 465))
  local exact, rank = 100, 100
  while rank < length do
    exact = exact * step
    rank = math.min(length, math.max(rank + 1, math.floor(exact)))
    mark(redis.call('ZRANGE', key, rank - 1, rank - 1, 'WITHSCORES')[2], rank)
  end
  return '[' .. table.concat(numbers, ',') .. ']', '[' .. table.concat(ranks, ',') .. ']'
end
