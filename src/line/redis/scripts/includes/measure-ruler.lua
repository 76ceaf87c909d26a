--- @include count-lobby
--- The ruler of the line, as JSON arrays of numbers and of their ranks: each of the first 100, then geometric, then the
--- last. Some 570 marks however long the line is.
local function measureRuler(line)
  -- Those who are still to be given their numbers stand before the line.
  local before = countLobby(line)
  local length = redis.call('ZCARD', line.queue)
  local numbers, ranks = {}, {}
  local heads = redis.call('ZRANGE', line.queue, 0, 99, 'WITHSCORES')
  for i = 2, #heads, 2 do
    numbers[i / 2] = heads[i]
    ranks[i / 2] = i / 2 + before
  end
  local step = math.min(1.02, (length / 100) ^ (1 / 465))
  local exact, rank = 100, 100
  while rank < length do
    exact = exact * step
    rank = math.min(length, math.max(rank + 1, math.floor(exact)))
    numbers[#numbers + 1] = redis.call('ZRANGE', line.queue, rank - 1, rank - 1, 'WITHSCORES')[2]
    ranks[#ranks + 1] = rank + before
  end
  return '[' .. table.concat(numbers, ',') .. ']', '[' .. table.concat(ranks, ',') .. ']'
end
