--- @include places
--- @include admit-from-head
--- @include follow-health
--- @include history
--- @include measure-pace
--- @include measure-ruler
--- Ends what is over, admits from the head as many as slots, rate and batch allow, and measures the line. Touches at most
--- 1000 places, about 15 ms, however long the line is. Sent twice with one id, it ticks once: after a lost reply a retry
--- must not admit a second batch.
--- Sent with a lease, it does nothing if another process has the lock, or after the time given: a tick that was held up
--- in a stopped server must not run beside those of the server that took its place. After more than one and
--- a half intervals without a tick it asks to come again: a server that was stopped and resumes learns of its successor meanwhile.
--
-- KEYS[1-10] see includes/line.lua
-- KEYS[11] {eventId}:history  STRING  see includes/history.lua
-- KEYS[12] {eventId}:entry    STREAM  one entry per admission: visitor, number
-- KEYS[13] {eventId}:pulse    STRING  what the last tick measured
-- KEYS[14] admission:lock:{eventId}  STRING  the holder of the lock
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] id of this tick
-- ARGV[4] who holds the lock; '' to tick without one
-- ARGV[5] the latest time to tick in ms, by the server's clock; '' without a lock
--
-- Replies nil if there is no such room, 0 if the lock is not held or it is too late, 1 to come again after 400 ms, else
--   [pulse, more, [lapsed, noShows, ended, passedOver, returned], [visitor, number, …]]
--   pulse: JSON {at, overrides, waiting, away, returnedAt, admitted, active, pace, stock, draw, health, numbers, ranks,
--     priority}
--     pace: see includes/measure-pace.lua; stock: see put-stock.lua; draw: its phase, '' without a draw;
--     health: see includes/health.lua
--     priority: {numbers, ranks} of the priority lane, while it has visitors
--   more: 1 if it stopped at its bound; lapsed and the like: since the last tick
local LIMIT = 1000
local history, entry, pulse = KEYS[11], KEYS[12], KEYS[13]
local line = openLine()
if not line then return nil end

--- The counts of a tally, '' or missing ones as 0: a tick before an upgrade noted fewer.
local function toCounts(tally)
  local counts = {}
  for count in string.gmatch(tally, '%d+') do counts[#counts + 1] = tonumber(count) end
  for i = #counts + 1, 5 do counts[i] = 0 end
  return counts
end

--- The reply to this same tick, sent before.
local function lastReply(more, tally, firstId, lastId)
  local admitted = {}
  if firstId ~= '' then
    for _, item in ipairs(redis.call('XRANGE', entry, firstId, lastId)) do
      admitted[#admitted + 1] = item[2][2]
      admitted[#admitted + 1] = tonumber(item[2][4])
    end
  end
  return { redis.call('GET', pulse), tonumber(more), toCounts(tally), admitted }
end

local last = redis.call('HMGET', line.room, 'tickId', 'tickMore', 'tickTally', 'tickFirst', 'tickLast')
if last[1] == ARGV[3] then return lastReply(last[2], last[3], last[4], last[5]) end

--- By the real clock of the server, as the lock expires by it.
local function isHeld()
  if ARGV[4] == '' then return true end
  local holder, time = redis.call('GET', KEYS[14]), redis.call('TIME')
  if holder and holder ~= ARGV[4] then return false end
  return time[1] * 1000 + math.floor(time[2] / 1000) <= tonumber(ARGV[5])
end
if not isHeld() then return 0 end

--- Whether there was no gap without ticks, or it was noticed at least 400 ms ago and just now.
local function isSteady()
  if ARGV[4] == '' or line.tickedAt == 0 or line.now - line.tickedAt <= math.max(1500, 1.5 * line.tickMs) then return true end
  local noticedAt = tonumber(redis.call('HGET', line.room, 'gapNoticedAt') or 0)
  local sinceMs = line.now - noticedAt
  if noticedAt > line.tickedAt and sinceMs <= 1500 then return sinceMs >= 400 end
  redis.call('HSET', line.room, 'gapNoticedAt', line.now)
  return false
end
if not isSteady() then return 1 end

local isOpen = phaseAt(line) == 'open' and not holdsAdmission(line)

--- How many wait in both lanes now.
local function countInLine()
  local ordinary = redis.call('ZCARD', line.queue)
  return line.hasLane and ordinary + redis.call('ZCARD', line.priority) or ordinary
end

local isMoving = isOpen and countInLine() > 0

local function admission()
  if not isOpen then return { admitted = {}, firstId = '', lastId = '', more = false } end
  return admitFromHead(line, entry, LIMIT)
end

--- Records what happened since the last tick, and measures the pace.
local function pace(admitted)
  local waiting = countInLine()
  local inside = redis.call('ZCARD', line.active)
  local flow = redis.call('HMGET', line.room, 'enteredSeconds', 'freed', 'departed')
  local insideSeconds = math.max(0, inside * math.floor(line.now / 1000) - tonumber(flow[1]))
  local passedMs = line.now - line.tickedAt
  -- Nothing is known about the time before the first tick, or while nothing ticked.
  if passedMs <= 60000 then
    recordHistory(line, history, {
      isMoving and admitted or 0, isMoving and passedMs or 0,
      tonumber(flow[2]), inside * passedMs, insideSeconds * passedMs,
      tonumber(flow[3]), waiting * passedMs,
    })
  end
  return measurePace(line, measureWindows(line, history), waiting, inside, insideSeconds, isOpen)
end

--- Notes a standstill that ends with this tick: rules/sessions.ts.
local function noteStandstill()
  if line.silenceTime == line.now then return end
  -- A second standstill within the grace of the first must not take that grace away.
  line.resumedAt = line.now
  redis.call('HSET', line.room,
    'stoppedAt', line.endingTime, 'resumedAt', line.now, 'graceUntil', line.now + line.settings.claimTtlMs)
end

--- The number at the head of a lane, or the next one.
local function headNumber(key)
  return tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2] or line.nextNumber)
end

--- Cuts off the part of {eventId}:seen before the heads once it is 1 MB and half of the string. So the string stays
--- within twice the span of the waiters, and each number is copied once on average.
local function trimSeen()
  -- During a draw the head may still move back: numbers that are to come lie before it.
  if line.drawPhase == 'drawing' then return end
  local firstInLane = math.min(headNumber(line.queue), line.hasLane and headNumber(line.priority) or math.huge)
  local first = math.min(firstInLane, firstAway(line))
  local gone = first - line.seenFrom
  if gone < 65536 or gone * 2 < line.nextNumber - line.seenFrom then return end
  redis.call('SET', line.seen, redis.call('GETRANGE', line.seen, gone * 16, -1))
  redis.call('HSET', line.room, 'seenFrom', first)
  line.seenFrom = first
end

local function flatten(places)
  local flat = {}
  for i, place in ipairs(places) do
    flat[2 * i - 1] = place.visitor
    flat[2 * i] = place.number
  end
  return flat
end

--- The part of the pulse about the priority lane.
local function measurePriority()
  if not line.hasLane then return '' end
  return string.format(',"priority":{"numbers":%s,"ranks":%s}', measureRuler(line, 'priority'))
end

--- An empty priority lane costs nothing.
local function closeLaneIfEmpty()
  if not line.hasLane or redis.call('ZCARD', line.priority) > 0 then return end
  redis.call('HDEL', line.room, 'hasLane')
  line.hasLane = false
end

local function measure(measuredPace)
  local facts = redis.call('HMGET', line.room, 'overrides', 'stock', 'returnedAt')
  local away = countAway(line)
  local waiting = countInLine() + countLobby(line) + away
  local admitted = redis.call('SCARD', line.admitted)
  local active = redis.call('ZCARD', line.active) - admitted
  local numbers, ranks = unchangedRuler(line, pulse)
  if not numbers then numbers, ranks = measureRuler(line, 'ordinary') end
  local form = '{"at":%.0f,"overrides":%s,"waiting":%d,"away":%d,"returnedAt":%.0f,"admitted":%d,"active":%d,'
    .. '"pace":"%s","stock":"%s","draw":"%s","health":"%s","numbers":%s,"ranks":%s%s}'
  local stock, draw = facts[2] or '', line.drawPhase or ''
  return string.format(form, line.now, facts[1], waiting, away, tonumber(facts[3] or 0), admitted, active, measuredPace,
    stock, draw, line.health or '', numbers, ranks, measurePriority())
end

noteStandstill()
noteTickGap(line)
local moreToEnd = endDue(line, LIMIT)
beginDrawIfDue(line)
followHealth(line)
local result = admission()
local more = (moreToEnd or result.more) and 1 or 0
closeLaneIfEmpty()
closeAwayIfEmpty(line)
trimSeen()
local measuredPace = pace(#result.admitted)
local measured = measure(measuredPace)
redis.call('SET', pulse, measured)

local tally = redis.call('HMGET', line.room, 'lapsed', 'noShows', 'ended', 'passedOver', 'returned')
for i = 4, 5 do tally[i] = tally[i] or '0' end
tally = table.concat(tally, ',')
local counts = toCounts(tally)
redis.call('HSET', line.room,
  'tickedAt', line.now, 'pace', measuredPace, 'freed', 0, 'departed', 0, 'lapsed', 0, 'noShows', 0, 'ended', 0,
  'passedOver', 0, 'returned', 0, 'tickId', ARGV[3], 'tickMore', more, 'tickTally', tally,
  'tickFirst', result.firstId, 'tickLast', result.lastId)
if #result.admitted > 0 then redis.call('HINCRBY', line.room, 'admittedTotal', #result.admitted) end
if counts[2] > 0 then redis.call('HINCRBY', line.room, 'noShowsTotal', counts[2]) end
return { measured, more, counts, flatten(result.admitted) }
