--- @include places
--- @include admit-from-lanes
--- Takes up to `count` places from the head, in order: present visitors go to `admitted`, but no more than `free`, silent
--- ones lapse, quiet ones are passed over. Stops at a visitor who has to wait longer. Returns how many it took.
local function takeFromHead(line, count, free, admitted)
  local heads = redis.call('ZRANGE', line.queue, 0, count - 1, 'WITHSCORES')
  local taken, lapsed, passed = 0, 0, {}
  for i = 1, #heads, 2 do
    if #admitted == free then break end
    local place = { visitor = heads[i], number = tonumber(heads[i + 1]) }
    local joinedAt, sign = readSeen(line, place.number)
    place.joinedAt = joinedAt
    if isSilent(line, sign) then
      lapsed = lapsed + 1
      forgetSeen(line, place.number)
    elseif isQuiet(line, sign) then
      passed[#passed + 1] = heads[i + 1]
      passed[#passed + 1] = heads[i]
    elseif isTooEarly(line, joinedAt) then
      break
    else
      admitted[#admitted + 1] = place
      forgetSeen(line, place.number)
    end
    taken = taken + 1
  end
  if taken > 0 then redis.call('ZREMRANGEBYRANK', line.queue, 0, taken - 1) end
  if lapsed > 0 then
    redis.call('HINCRBY', line.room, 'lapsed', lapsed)
    redis.call('HINCRBY', line.room, 'departed', lapsed)
  end
  writeAway(line, passed)
  return taken
end

--- Admits them with one command per key, and adds each to the stream. They do not know it yet. Returns the first and last
--- stream id.
local function admit(line, entry, admitted)
  local expiresAt = untoldEnd(line)
  local names, facts, ends = {}, {}, {}
  local firstId, lastId = '', ''
  for i, place in ipairs(admitted) do
    names[i] = place.visitor
    facts[2 * i - 1] = place.visitor
    place.admittedAt, place.activeAt, place.isUntold = line.now, 0, true
    facts[2 * i] = packPlace(place)
    ends[2 * i - 1] = expiresAt
    ends[2 * i] = place.visitor
    lastId = redis.call('XADD', entry, 'MAXLEN', '~', 10000, '*', 'visitor', place.visitor, 'number', place.number)
    if i == 1 then firstId = lastId end
  end
  if #admitted == 0 then return firstId, lastId end
  redis.call('SADD', line.admitted, unpack(names))
  redis.call('HSET', line.places, unpack(facts))
  redis.call('ZADD', line.active, unpack(ends))
  redis.call('HINCRBY', line.room, 'enteredSeconds', #admitted * math.floor(line.now / 1000))
  return firstId, lastId
end

--- Admits from the head, or the heads of both lanes, as many as slots, rate and batch allow, looking at `limit` places at
--- most. Returns the places, the first and last stream id, and whether it stopped at the limit.
local function admitFromHead(line, entry, limit)
  local allowed = allowance(line)
  local free = math.min(countFree(line), allowed + countReturned(line, allowed))
  local admitted, looked = {}, 0
  if line.hasLane then looked = takeFromLanes(line, free, limit, admitted) end
  while not line.hasLane and #admitted < free and looked < limit do
    -- Heads that were not there are rarely alone.
    local count = looked == 0 and free or math.max(free - #admitted, 100)
    local taken = takeFromHead(line, math.min(count, limit - looked), free, admitted)
    if taken == 0 then break end
    looked = looked + taken
  end
  local firstId, lastId = admit(line, entry, admitted)
  takeTokens(line, math.min(#admitted, allowed))
  takeReturned(line, math.max(0, #admitted - allowed))
  return { admitted = admitted, firstId = firstId, lastId = lastId, more = looked == limit and #admitted < free }
end
