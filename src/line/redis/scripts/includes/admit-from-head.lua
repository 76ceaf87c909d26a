--- @include read-seen
--- @include is-silent
--- @include write-place
--- @include allowance
--- @include take-tokens
--- Lets one waiter in, already taken from the line, who has claimTtlMs to show up; tells the stream.
local function admit(line, entry, place)
  redis.call('SADD', line.admitted, place.visitor)
  writePlace(line, place, line.now + line.settings.claimTtlMs)
  return redis.call('XADD', entry, 'MAXLEN', '~', 10000, '*', 'visitor', place.visitor, 'number', place.number)
end

--- Lets in from the head as many as room, rate and batch allow, looking at `limit` places at most. The silent ones met
--- on the way lapse. Answers visitors and numbers in turn, the first and last stream ids, and whether it hit the limit.
local function admitFromHead(line, entry, limit)
  local free = math.min(line.settings.maxActive - redis.call('ZCARD', line.active), allowance(line))
  local admitted, firstId, lastId = {}, '', ''
  local count, looked, lapsed = 0, 0, 0
  while count < free and looked < limit do
    local heads = redis.call('ZRANGE', line.queue, 0, math.min(free - count, limit - looked) - 1, 'WITHSCORES')
    if #heads == 0 then break end
    -- Whoever is looked at leaves the line, one way or the other.
    redis.call('ZREMRANGEBYRANK', line.queue, 0, #heads / 2 - 1)
    for i = 1, #heads, 2 do
      local visitor, number = heads[i], tonumber(heads[i + 1])
      local joinedAt, seenAt = readSeen(line, number)
      looked = looked + 1
      if isSilent(line, seenAt) then
        lapsed = lapsed + 1
      else
        count = count + 1
        lastId = admit(line, entry, {
          visitor = visitor, number = number, joinedAt = joinedAt, admittedAt = line.now, activeAt = 0,
        })
        if count == 1 then firstId = lastId end
        admitted[#admitted + 1] = visitor
        admitted[#admitted + 1] = number
      end
    end
  end
  if lapsed > 0 then redis.call('HINCRBY', line.room, 'lapsed', lapsed) end
  takeTokens(line, count)
  return { admitted = admitted, firstId = firstId, lastId = lastId, more = looked == limit and count < free }
end
