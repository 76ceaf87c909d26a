--- @include open-line
--- @include end-due
--- @include forget-seen
--- @include read-seen
--- @include is-silent
--- Takes out waiters who have not been seen for seenTtlMs, and ends what is over. Walks the line from where the last
--- sweep stopped, 1000 places at a time. Repeating it only goes on.
--
-- KEYS    see includes/open-line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
--
-- Replies nil if there is no such room, else [more]: 1 while the walk has not reached the end of the line
local LIMIT = 1000
-- Numbers, not places: so much of {eventId}:seen is read in one piece, 256 KB at most.
local SPAN = 16384
local line = openLine()
if not line then return nil end

local moreToEnd = endDue(line, LIMIT)
local cursor = redis.call('HGET', line.room, 'sweptTo')
local waiters = redis.call('ZRANGEBYSCORE', line.queue, '(' .. cursor, '+inf', 'WITHSCORES', 'LIMIT', 0, LIMIT)

local function findSilent()
  local first = math.max(tonumber(waiters[2]), line.seenFrom)
  local from = (first - line.seenFrom) * 16
  local last = math.min(tonumber(waiters[#waiters]), first + SPAN - 1)
  local seen = last < first and '' or redis.call('GETRANGE', line.seen, from, (last - line.seenFrom) * 16 + 15)
  local silent = {}
  for i = 1, #waiters, 2 do
    local number = tonumber(waiters[i + 1])
    if number > last then break end
    local seenAt
    if number < first then
      local _, early = readSeen(line, number)
      seenAt = early
    else
      seenAt = struct.unpack('>d', seen, (number - first) * 16 + 9)
    end
    if isSilent(line, seenAt) then
      silent[#silent + 1] = waiters[i]
      forgetSeen(line, number)
    end
  end
  return silent, last
end

local reachedEnd = #waiters == 0
if not reachedEnd then
  local silent, last = findSilent()
  if #silent > 0 then
    redis.call('ZREM', line.queue, unpack(silent))
    redis.call('HINCRBY', line.room, 'lapsed', #silent)
    redis.call('HINCRBY', line.room, 'departed', #silent)
  end
  cursor = last
  reachedEnd = #waiters < LIMIT * 2 and last == tonumber(waiters[#waiters])
end
redis.call('HSET', line.room, 'sweptTo', reachedEnd and 0 or cursor)
return { (moreToEnd or not reachedEnd) and 1 or 0 }
