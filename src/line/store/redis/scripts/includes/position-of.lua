--- @include lane-key
--- @include count-lanes
--- @include count-lobby
--- How many of the other lane go before the one at `rank` of `lane`, if both go on waiting: src/line/model/lanes.ts.
local function countGoingBefore(line, lane, rank)
  local share = line.settings.priorityShare
  if lane == 'priority' then return math.ceil(((100 - share) * rank - line.credit) / share) end
  if share == 100 then return math.huge end
  return math.floor((share * (rank - 1) + line.credit) / (100 - share))
end

--- Where the one with `number` stands among all of both lanes, who stands at `rank` of their own.
local function positionAt(line, lane, rank, number)
  local other = lane == 'priority' and 'ordinary' or 'priority'
  local count = countLanes(line)[other]
  if count == 0 then return rank end
  -- The share was taken back while members waited: they stand where their numbers say.
  if line.settings.priorityShare == 0 then
    local key = laneKey(line, other)
    return rank + redis.call('ZCOUNT', key, '-inf', string.format('(%.0f', number))
  end
  return rank + math.min(count, countGoingBefore(line, lane, rank))
end

--- Where a waiter stands; 1 is next. Newcomers who are not written down yet know their rank, and where there is one lane
--- their position.
local function positionOf(line, place)
  if not line.hasLane and place.position then return place.position end
  local key = laneKey(line, place.lane)
  local rank = place.rank or redis.call('ZRANK', key, place.visitor) + 1
  -- While lots are given, all who have none yet stand before whoever came later.
  return countLobby(line) + (line.hasLane and positionAt(line, place.lane, rank, place.number) or rank)
end
