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
  place.joinedAt, place.seenAt = readSeen(line, place.number)
  heads.head = place
  return place
end

local function takeHead(line, heads)
  local place = heads.head
  forgetSeen(line, place.number)
  heads.head = nil
  heads.index = heads.index + 2
  heads.taken = heads.taken + 1
  return place
end

local function closeHeads(heads)
  local key = heads.key
  if heads.taken > 0 then redis.call('ZREMRANGEBYRANK', key, 0, heads.taken - 1) end
end

local function findSilentHead(line, ordinary, priority)
  local place = headOf(line, ordinary)
  if place and isSilent(line, place.seenAt) then return ordinary end
  place = headOf(line, priority)
  return place and isSilent(line, place.seenAt) and priority or nil
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
--- Silent visitors lapse. Returns how many it looked at.
local function takeFromLanes(line, free, limit, admitted)
  local ordinary, priority = openHeads(line.queue), openHeads(line.priority)
  local credit, looked, lapsed = line.credit, 0, 0
  while #admitted < free and looked < limit do
    local silent = findSilentHead(line, ordinary, priority)
    local heads = silent or chooseHeads(line, ordinary, priority)
    if not heads then break end
    local place = takeHead(line, heads)
    if silent then lapsed = lapsed + 1 else admitted[#admitted + 1] = place end
    looked = looked + 1
  end
  closeHeads(ordinary)
  closeHeads(priority)
  if lapsed > 0 then
    redis.call('HINCRBY', line.room, 'lapsed', lapsed)
    redis.call('HINCRBY', line.room, 'departed', lapsed)
  end
  if line.credit ~= credit then redis.call('HSET', line.room, 'credit', line.credit) end
  return looked
end
