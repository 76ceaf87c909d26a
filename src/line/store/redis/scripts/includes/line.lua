--- @include time-now
--- @include health
--- The line as a whole: opening it, its clock, its phase, its counts, and what it may admit. Every script of a line
--- begins with openLine(), which returns the shared table `line`.
--
-- KEYS[1] {eventId}:room      HASH    epoch, version, nextNumber, overrides (JSON), rules (JSON: the overrides that
--                                     scripts use), tokens, refilledAt, tickedAt, gapNoticedAt, pace, tally, cursors,
--                                     enteredSeconds (sum over those inside), freed, departed (since the last tick),
--                                     admittedTotal, noShowsTotal,
--                                     stoppedAt, resumedAt, graceUntil (of the last standstill), numberedBy (the
--                                     activation of tier 1 that assigns the numbers), endedActivations (of tier 1, the
--                                     last ten, the newest first), stock (slots, whether sold out),
--                                     stockAsOf, credit (of the priority lane: src/line/model/lanes.ts), hasLane (1 while
--                                     the priority lane may have visitors), hasAway (1 while some may be away),
--                                     returnedAt (when one of them last came back), presentFrom (quiet time before
--                                     it does not count), returnedTokens, health (see includes/health.lua),
--                                     healthReports (see includes/follow-health.lua), scheduled (JSON: changes to come,
--                                     by time); of a draw: see scripts/open-draw.lua
-- KEYS[2] {eventId}:queue     ZSET    visitor -> number: waiting in the ordinary lane
-- KEYS[3] {eventId}:active    ZSET    visitor -> end of claim or session in ms: inside, admitted or active
-- KEYS[4] {eventId}:admitted  SET     inside, but not seen yet
-- KEYS[5] {eventId}:places    HASH    visitor -> number, joinedAt, admittedAt, activeAt (doubles): inside
-- KEYS[6] {eventId}:seen      STRING  joinedAt, last sign of life (doubles; see includes/presence.lua) per number from
--                                     room.seenFrom on: waiting. Lower numbers,
--                                     which tier 1 assigned, are in room as `early:number`
-- KEYS[7] {eventId}:lobby     ZSET    visitor -> arrival: joined before the draw
-- KEYS[8] {eventId}:lobby-seen  STRING  joinedAt, last sign of life per arrival: in the lobby; joinedAt is negative for
--                                     the priority lane
-- KEYS[9] {eventId}:priority  ZSET    visitor -> number: waiting in the priority lane
-- KEYS[10] {eventId}:away     ZSET    see includes/away.lua: waiting, but passed over
-- ARGV[1] JSON {defaults, tickMs} of the calling process
-- ARGV[2] now in ms, '' for the server's clock
--
-- The table `line`, as openLine returns it:
--   room, queue, active, admitted, places, seen, lobby, lobbySeen, priority, away   the keys above
--   epoch         string, part of every token id
--   settings      the defaults of the process with the overrides of the room
--   tickMs        how often admission ticks
--   now           ms; never before tickedAt
--   tickedAt      when the last tick ran; 0 before the first
--   silenceTime   the time that a waiter's silence is measured at; not `now` in a standstill
--   endingTime    the time that claims and sessions are ended at; not `now` in a standstill or its grace
--   resumedAt     end of the last standstill
--   nextNumber, nextArrival   the next to assign in line and in the lobby
--   seenFrom      the number at the start of line.seen
--   numberedBy    the activation of tier 1 that assigns numbers; false where the line does
--   drawPhase     'announced', 'drawing', 'drawn'; false in a room without a draw
--   credit        of the priority lane
--   health        see includes/health.lua; false before the first tick of a room that follows the health of the site
--   hasLane       true while the priority lane may have visitors; where false, it costs nothing
--   hasAway       the same for line.away
--   presentFrom   quiet time before this does not count
--   changeId, tickId   of the last change of the settings, and of the last tick; false before the first
--   stock         see put-stock.lua; false before the first report
--   lotKey        of the draw; false without one
--   returnedAt    when a visitor who was away last came back; 0 if none has
-- Added on the way:
--   lanes         {ordinary, priority}: how many wait in each, new places included; by countLanes
--   tokens        what is left in the bucket; by allowance
--   hasEndedDue   true once findKnown has ended what is due
-- Set by the scripts that join visitors (visit.lua, join-with-number.lua) before they do:
--   waiting       how many wait, in line and in the lobby, without those who are away
--   newPlaces     the places not written yet, in order; writeNewPlaces writes them
--   newPlaceOf    the same by visitor
--   strangers     visitor -> true for those known to have no place; absent or empty where nothing is known

--- The time that silence is measured at, for a `time` not later than now: rules/sessions.ts.
local function silenceTimeAt(line, time)
  if line.tickedAt == 0 then return time end
  return math.min(time, line.tickedAt + 30000)
end

--- nil if the event has no room.
local function openLine()
  local facts = redis.call('HMGET', KEYS[1], 'epoch', 'rules', 'nextNumber', 'seenFrom', 'tickedAt',
    'stoppedAt', 'resumedAt', 'graceUntil', 'numberedBy', 'drawPhase', 'nextArrival', 'credit', 'hasLane',
    'hasAway', 'presentFrom', 'health', 'changeId', 'tickId', 'stock', 'drawTicketKey', 'returnedAt')
  if not facts[1] then return nil end
  local process = cjson.decode(ARGV[1])
  local settings = process.defaults
  for name, value in pairs(cjson.decode(facts[2])) do settings[name] = value end
  local tickedAt = tonumber(facts[5])
  local line = {
    room = KEYS[1], queue = KEYS[2], active = KEYS[3], admitted = KEYS[4], places = KEYS[5], seen = KEYS[6],
    lobby = KEYS[7], lobbySeen = KEYS[8], priority = KEYS[9], away = KEYS[10],
    epoch = facts[1],
    settings = settings,
    tickMs = process.tickMs,
    nextNumber = tonumber(facts[3]),
    seenFrom = tonumber(facts[4]),
    tickedAt = tickedAt,
    resumedAt = tonumber(facts[7] or 0),
    numberedBy = facts[9],
    drawPhase = facts[10],
    nextArrival = tonumber(facts[11] or 1),
    credit = tonumber(facts[12] or 0),
    hasLane = facts[13] and true,
    hasAway = facts[14] and true,
    presentFrom = tonumber(facts[15] or 0),
    health = facts[16],
    changeId = facts[17],
    tickId = facts[18],
    stock = facts[19],
    lotKey = facts[20],
    returnedAt = tonumber(facts[21] or 0),
    -- A clock set back, or that of another server after a failover, must not revive what has ended.
    now = math.max(timeNow(), tickedAt),
  }
  line.silenceTime = silenceTimeAt(line, line.now)
  local isInGrace = line.now < tonumber(facts[8] or 0)
  line.endingTime = isInGrace and tonumber(facts[6] or 0) or line.silenceTime
  return line
end

--- The state that the operator chose, within the hours of the room.
local function phaseAt(line)
  local settings = line.settings
  if settings.state == 'closed' then return 'closed' end
  if settings.closesAt and line.now >= settings.closesAt then return 'closed' end
  if settings.state == 'paused' then return 'paused' end
  if settings.opensAt and line.now < settings.opensAt then return 'not_open' end
  return 'open'
end

--- From the announcement of a draw until all numbers are assigned, nobody is admitted.
local function holdsAdmission(line)
  return line.drawPhase and line.drawPhase ~= 'drawn'
end

--- At opensAt, or when a closed room opens later: nobody joins the lobby any more, and its visitors' numbers are
--- reserved, so that later visitors come behind them. Pausing holds admission, not the draw.
local function beginDrawIfDue(line)
  local opensAt = line.settings.opensAt
  if line.drawPhase ~= 'announced' or not opensAt or line.now < opensAt then return end
  if phaseAt(line) == 'closed' then return end
  local size = redis.call('ZCARD', line.lobby)
  redis.call('HSET', line.room,
    'drawPhase', 'drawing', 'drawBeganAt', line.now, 'drawFirst', line.nextNumber, 'drawSize', size,
    'drawGatheredTo', 0, 'drawCount', 0, 'nextNumber', line.nextNumber + size)
  line.drawPhase = 'drawing'
  line.nextNumber = line.nextNumber + size
end

--- The sorted set of a lane.
local function laneKey(line, lane)
  return lane == 'priority' and line.priority or line.queue
end

--- How many wait in each lane, including new places that are not written yet. Counted once.
local function countLanes(line)
  if not line.lanes then
    line.lanes = {
      ordinary = redis.call('ZCARD', line.queue),
      priority = line.hasLane and redis.call('ZCARD', line.priority) or 0,
    }
  end
  return line.lanes
end

local function countLobby(line)
  return holdsAdmission(line) and redis.call('ZCARD', line.lobby) or 0
end

--- How many of the other lane go before the one at `rank` of `lane`, if both go on waiting: src/line/model/lanes.ts.
local function countGoingBefore(line, lane, rank)
  local share = line.settings.priorityShare
  if lane == 'priority' then return math.ceil(((100 - share) * rank - line.credit) / share) end
  if share == 100 then return math.huge end
  return math.floor((share * (rank - 1) + line.credit) / (100 - share))
end

--- The position among both lanes of the visitor with `number`, who is at `rank` of their own lane.
local function positionAt(line, lane, rank, number)
  local other = lane == 'priority' and 'ordinary' or 'priority'
  local count = countLanes(line)[other]
  if count == 0 then return rank end
  -- The share was set to 0 while the priority lane had visitors: the numbers decide.
  if line.settings.priorityShare == 0 then
    local key = laneKey(line, other)
    return rank + redis.call('ZCOUNT', key, '-inf', string.format('(%.0f', number))
  end
  return rank + math.min(count, countGoingBefore(line, lane, rank))
end

--- How many may be inside. A room that follows the stock admits no more than the stock could serve, and nobody before
--- the stock is known.
local function readLimit(line)
  local settings = line.settings
  if not settings.followStock then return settings.maxActive end
  local slots = line.stock and string.match(line.stock, '^%d+') or 0
  return math.min(settings.maxActive, tonumber(slots))
end

--- Free slots; below 1 if there are none. A claim room also bounds how many are ready at once.
local function countFree(line)
  local settings = line.settings
  local room = readLimit(line) - redis.call('ZCARD', line.active)
  if settings.admission ~= 'claim' then return room end
  return math.min(room, settings.claimWindow - redis.call('SCARD', line.admitted))
end

--- In a claim room nobody is ready before they have waited minWaitMs, and nobody behind them either.
local function isTooEarly(line, joinedAt)
  return line.settings.admission == 'claim' and line.now < joinedAt + line.settings.minWaitMs
end

local function bucketSize(line, perSecond)
  local settings = line.settings
  -- A lowered rate lowers the burst too.
  local burst = settings.burst and settings.burst * (perSecond / settings.admitPerSecond) or perSecond
  -- A bucket smaller than one tick's worth would silently admit less than the configured rate.
  return math.max(1, burst, perSecond * line.tickMs / 1000)
end

--- How many admissions the rate allows now; without a rate, the batch size of a tick.
local function allowance(line)
  local settings = line.settings
  local perSecond = effectiveRate(settings, line.health)
  if not perSecond then return settings.batchSize end
  local bucket = redis.call('HMGET', line.room, 'tokens', 'refilledAt')
  -- A new room may begin with a burst: its bucket starts without bound and is cut to its size here.
  local tokens = tonumber(bucket[1] or math.huge)
  local refilledAt = tonumber(bucket[2] or 0)
  local gained = math.max(0, line.now - refilledAt) / 1000 * perSecond
  line.tokens = math.min(bucketSize(line, perSecond), tokens + gained)
  redis.call('HSET', line.room, 'tokens', line.tokens, 'refilledAt', math.max(refilledAt, line.now))
  return math.floor(line.tokens)
end

--- Takes `count` admissions out of the bucket that allowance has just filled. Does nothing without a rate.
local function takeTokens(line, count)
  if not line.settings.admitPerSecond or count == 0 then return end
  line.tokens = line.tokens - count
  redis.call('HSET', line.room, 'tokens', line.tokens)
end

--- How many wait, are inside, are inside but not seen yet, and are away. Waiters who are away count as waiting.
local function countCrowd(line)
  local lanes = countLanes(line)
  local away = line.hasAway and redis.call('ZCARD', line.away) or 0
  local waiting = lanes.ordinary + lanes.priority + countLobby(line) + away
  return waiting, redis.call('ZCARD', line.active), redis.call('SCARD', line.admitted), away
end

--- Names what roomView replies besides the counts and the time: two views with one tag are alike in it. Made of ids and
--- values that every writer has always written, also one of an earlier version.
local function viewTag(line)
  return string.format('%s %s %s %s %s %.0f', line.changeId or '', line.tickId or '', line.stock or '',
    line.drawPhase or '', line.lotKey or '', line.returnedAt)
end

--- The room for the reply: epoch, overrides, version, now, waiting, admitted, active, pace, stock; of its draw: phase,
--- lot key, first number, how many numbers are reserved ('' and 0 without a draw); since the room was made, how many
--- were admitted and how many of them did not show up; how many of those waiting are away, and returnedAt; the health of
--- the site ('' where there is none); tickedAt.
local function roomView(line)
  local facts = redis.call('HMGET', line.room, 'overrides', 'version', 'pace', 'drawFirst', 'drawSize', 'admittedTotal',
    'noShowsTotal')
  local waiting, inside, admitted, away = countCrowd(line)
  return {
    line.epoch, facts[1], tonumber(facts[2]), line.now, waiting, admitted, inside - admitted, facts[3], line.stock or '',
    line.drawPhase or '', line.lotKey or '', tonumber(facts[4] or 0), tonumber(facts[5] or 0),
    tonumber(facts[6] or 0), tonumber(facts[7] or 0), away, line.returnedAt, line.health or '',
    line.tickedAt,
  }
end
