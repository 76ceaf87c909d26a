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

--- The number at an end of the queue: 0 is the first, -1 the last.
local function numberAt(line, rank)
  return redis.call('ZRANGE', line.queue, rank, rank, 'WITHSCORES')[2]
end

--- The ruler of the last tick, while it is right: since then nobody has left the queue, come back to it or joined it. In a
--- long line where nothing happens, measuring again would cost some 500 commands with every tick. Nil if it may be wrong.
local function unchangedRuler(line, pulse)
  if line.hasLane or countLobby(line) > 0 then return nil end
  local moved = redis.call('HMGET', line.room, 'departed', 'returned')
  if tonumber(moved[1] or 0) ~= 0 or tonumber(moved[2] or 0) ~= 0 then return nil end
  local numbers, ranks = string.match(redis.call('GET', pulse) or '', '"numbers":(%b[]),"ranks":(%b[])}$')
  if not numbers then return nil end
  local isSame = string.match(numbers, '^%[(%d+)') == numberAt(line, 0)
    and string.match(numbers, '(%d+)%]$') == numberAt(line, -1)
    and tonumber(string.match(ranks, '(%d+)%]$')) == redis.call('ZCARD', line.queue)
  if isSame then return numbers, ranks end
end
