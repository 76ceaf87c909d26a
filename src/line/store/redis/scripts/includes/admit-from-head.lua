--- @include places
--- @include admit-from-lanes
--- Takes up to `count` places from the head, in order: present visitors go to `admitted`, silent ones lapse. Stops at a
--- visitor who has to wait longer. Returns how many it took.
local function takeFromHead(line, count, admitted)
  local heads = redis.call('ZRANGE', line.queue, 0, count - 1, 'WITHSCORES')
  local taken, lapsed = 0, 0
  for i = 1, #heads, 2 do
    local place = { visitor = heads[i], number = tonumber(heads[i + 1]) }
    local joinedAt, seenAt = readSeen(line, place.number)
    place.joinedAt = joinedAt
    if isSilent(line, seenAt) then
      lapsed = lapsed + 1
    elseif isTooEarly(line, joinedAt) then
      break
    else
      admitted[#admitted + 1] = place
    end
    forgetSeen(line, place.number)
    taken = taken + 1
  end
  if taken > 0 then redis.call('ZREMRANGEBYRANK', line.queue, 0, taken - 1) end
  if lapsed > 0 then
    redis.call('HINCRBY', line.room, 'lapsed', lapsed)
    redis.call('HINCRBY', line.room, 'departed', lapsed)
  end
  return taken
end

--- Admits them with one command per key, and adds each to the stream. They have claimTtlMs to show up or, in a claim
--- room, to enter. Returns the first and last stream id.
local function admit(line, entry, admitted)
  local expiresAt = line.now + line.settings.claimTtlMs
  local names, facts, ends = {}, {}, {}
  local firstId, lastId = '', ''
  for i, place in ipairs(admitted) do
    names[i] = place.visitor
    facts[2 * i - 1] = place.visitor
    facts[2 * i] = struct.pack('>dddd', place.number, place.joinedAt, line.now, 0)
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
  local free = math.min(countFree(line), allowance(line))
  local admitted, looked = {}, 0
  if line.hasLane then looked = takeFromLanes(line, free, limit, admitted) end
  while not line.hasLane and #admitted < free and looked < limit do
    local taken = takeFromHead(line, math.min(free - #admitted, limit - looked), admitted)
    if taken == 0 then break end
    looked = looked + taken
  end
  local firstId, lastId = admit(line, entry, admitted)
  takeTokens(line, #admitted)
  return { admitted = admitted, firstId = firstId, lastId = lastId, more = looked == limit and #admitted < free }
end
