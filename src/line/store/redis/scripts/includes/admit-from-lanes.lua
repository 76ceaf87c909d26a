--- @include places
--- How many heads of a lane are read at once.
local PIECE = 100

local function openHeads(key)
  return { key = key, piece = {}, index = 1, taken = 0 }
end

--- The place at the head, after those taken; nil if there is none. Nothing leaves the set before closeHeads.
local function headOf(line, heads)
  if heads.head or heads.isOver then return heads.head end
  if not heads.piece[heads.index] then
    local key = heads.key
    heads.piece = redis.call('ZRANGE', key, heads.taken, heads.taken + PIECE - 1, 'WITHSCORES')
    heads.index = 1
    heads.isOver = #heads.piece == 0
    if heads.isOver then return nil end
  end
  local place = { visitor = heads.piece[heads.index], number = tonumber(heads.piece[heads.index + 1]) }
  place.joinedAt, place.sign = readSeen(line, place.number)
  heads.head = place
  return place
end

local function takeHead(heads)
  local place = heads.head
  heads.head = nil
  heads.index = heads.index + 2
  heads.taken = heads.taken + 1
  return place
end

local function closeHeads(heads)
  local key = heads.key
  if heads.taken > 0 then redis.call('ZREMRANGEBYRANK', key, 0, heads.taken - 1) end
end

--- A head that is not there, before any turn is taken: it must not cost its lane credit.
local function findQuietHead(line, ordinary, priority)
  local function isGone(place) return isSilent(line, place.sign) or isQuiet(line, place.sign) end
  local place = headOf(line, ordinary)
  if place and isGone(place) then return ordinary end
  place = headOf(line, priority)
  return place and isGone(place) and priority or nil
end

--- Whose turn it is while both lanes have visitors; spends or adds credit. See src/line/model/lanes.ts.
local function takeTurn(line, ordinary, priority)
  local share = line.settings.priorityShare
  -- The share was set to 0 while the priority lane had visitors: the numbers decide.
  if share == 0 then return ordinary.head.number < priority.head.number and ordinary or priority end
  line.credit = line.credit + share
  if line.credit < 100 then return ordinary end
  line.credit = line.credit - 100
  return priority
end

--- A visitor who has to wait longer holds up their own lane, not the other one.
local function chooseHeads(line, ordinary, priority)
  local first, second = headOf(line, ordinary), headOf(line, priority)
  local mayOrdinary = first and not isTooEarly(line, first.joinedAt)
  local mayPriority = second and not isTooEarly(line, second.joinedAt)
  if mayOrdinary and mayPriority then return takeTurn(line, ordinary, priority) end
  return mayOrdinary and ordinary or mayPriority and priority or nil
end

--- Moves up to `free` places from the heads of both lanes to `admitted`, in turn, looking at `limit` places at most.
--- Silent visitors lapse, quiet ones are passed over. Returns how many it looked at.
local function takeFromLanes(line, free, limit, admitted)
  local ordinary, priority = openHeads(line.queue), openHeads(line.priority)
  local credit, looked, lapsed, passed = line.credit, 0, 0, {}
  while #admitted < free and looked < limit do
    local quiet = findQuietHead(line, ordinary, priority)
    local heads = quiet or chooseHeads(line, ordinary, priority)
    if not heads then break end
    local place = takeHead(heads)
    if quiet and not isSilent(line, place.sign) then
      passed[#passed + 1] = awayScore(place.number, heads == priority and 'priority' or 'ordinary')
      passed[#passed + 1] = place.visitor
    else
      forgetSeen(line, place.number)
      if quiet then lapsed = lapsed + 1 else admitted[#admitted + 1] = place end
    end
    looked = looked + 1
  end
  closeHeads(ordinary)
  closeHeads(priority)
  if lapsed > 0 then
    redis.call('HINCRBY', line.room, 'lapsed', lapsed)
    redis.call('HINCRBY', line.room, 'departed', lapsed)
  end
  writeAway(line, passed)
  if line.credit ~= credit then redis.call('HSET', line.room, 'credit', line.credit) end
  return looked
end
