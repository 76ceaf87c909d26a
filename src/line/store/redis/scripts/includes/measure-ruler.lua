--- @include line
--- The ruler of a lane, as JSON arrays of numbers and ranks: the first 100, then a geometric series, then the last. About
--- 570 marks for a lane of any length. With two lanes, ranks are positions among all who wait.
local function measureRuler(line, lane)
  -- Visitors who still get a number from the draw come before the line.
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
