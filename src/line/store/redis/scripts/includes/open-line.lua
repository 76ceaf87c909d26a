--- @include time-now
--- @include standstill
--- The line at this moment: its keys, what holds for it, its clock. nil if no operator made the room.
--
-- KEYS[1] {eventId}:room      HASH    epoch, version, nextNumber, overrides (JSON), rules (JSON, those of the overrides
--                                     that scripts go by), tokens, refilledAt, tickedAt, pace, tally, cursors,
--                                     enteredSeconds (of those inside, added up), freed, departed (since the last tick),
--                                     admittedTotal, noShowsTotal,
--                                     stoppedAt, resumedAt, graceUntil (of the last standstill), numberedBy (the
--                                     activation of tier 1 that gives the numbers), stock (slots, whether sold out),
--                                     stockAsOf, credit (of the priority lane: src/line/model/lanes.ts), hasLane (1 while
--                                     somebody may stand in it); of a draw: drawPhase and the rest of its state, see
--                                     scripts/open-draw.lua
-- KEYS[2] {eventId}:queue     ZSET    visitor -> number: those who wait, in the ordinary lane
-- KEYS[3] {eventId}:active    ZSET    visitor -> end of claim or session in ms: those inside, admitted or active
-- KEYS[4] {eventId}:admitted  SET     those inside who have not shown up yet
-- KEYS[5] {eventId}:places    HASH    visitor -> number, joinedAt, admittedAt, activeAt (doubles): those inside
-- KEYS[6] {eventId}:seen      STRING  joinedAt, seenAt (doubles) per number from room.seenFrom on: those who wait; of
--                                     numbers before that, which come from tier 1, room holds them as `early:number`
-- KEYS[7] {eventId}:lobby     ZSET    visitor -> arrival: those who came before a draw
-- KEYS[8] {eventId}:lobby-seen  STRING  joinedAt, seenAt (doubles) per arrival: those in the lobby; joinedAt below 0 for
--                                     those who will stand in the priority lane
-- KEYS[9] {eventId}:priority  ZSET    visitor -> number: those who wait, in the priority lane
-- ARGV[1] JSON {defaults, tickMs} of the calling process
-- ARGV[2] now in ms, '' for the server's clock
local function openLine()
  local facts = redis.call('HMGET', KEYS[1], 'epoch', 'rules', 'nextNumber', 'seenFrom', 'tickedAt',
    'stoppedAt', 'resumedAt', 'graceUntil', 'numberedBy', 'drawPhase', 'nextArrival', 'credit', 'hasLane')
  if not facts[1] then return nil end
  local process = cjson.decode(ARGV[1])
  local settings = process.defaults
  for name, value in pairs(cjson.decode(facts[2])) do settings[name] = value end
  local tickedAt = tonumber(facts[5])
  local line = {
    room = KEYS[1], queue = KEYS[2], active = KEYS[3], admitted = KEYS[4], places = KEYS[5], seen = KEYS[6],
    lobby = KEYS[7], lobbySeen = KEYS[8], priority = KEYS[9],
    epoch = facts[1],
    settings = settings,
    tickMs = process.tickMs,
    nextNumber = tonumber(facts[3]),
    seenFrom = tonumber(facts[4]),
    tickedAt = tickedAt,
    numberedBy = facts[9],
    -- 'announced', 'drawing', 'drawn'; false in a room whose order is that of arrival.
    drawPhase = facts[10],
    nextArrival = tonumber(facts[11] or 1),
    credit = tonumber(facts[12] or 0),
    -- While it is false the priority lane costs nobody anything.
    hasLane = facts[13] and true,
    -- A clock set back, or another server's after a failover, must not revive what has ended.
    now = math.max(timeNow(), tickedAt),
  }
  readStandstill(line, tonumber(facts[6] or 0), tonumber(facts[7] or 0), tonumber(facts[8] or 0))
  return line
end
