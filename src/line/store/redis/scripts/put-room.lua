--- @include line
--- @include announce-draw
--- Creates a room or replaces its overrides, unless they changed since they were read. Sent twice with one id, it is
--- applied once.
--
-- KEYS[1-10] see includes/line.lua
-- KEYS[11] {eventId}:threshold  STRING  maxActive where the operator set it
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] id of this change
-- ARGV[4] the version that was read, 0 for no room
-- ARGV[5] the new overrides, JSON
-- ARGV[6] the overrides that scripts use, JSON
-- ARGV[7] epoch, for a new room
-- ARGV[8] maxActive where overridden, else ''
-- ARGV[9] the phase of the draw that was read, '' for none
-- ARGV[10] 1 if the change is allowed only while nobody waits, else 0
-- ARGV[11] 1 if the room has a draw after the change, else 0
-- ARGV[12] seed, for a new draw
-- ARGV[13] lot key, for a new draw
-- ARGV[14] the scheduled changes after this one, JSON; '' leaves them as they are
--
-- Replies
--   ['conflict']     the room changed since it was read: read again
--   ['put', view]    see roomView in includes/line.lua
local room, threshold = KEYS[1], KEYS[11]
local facts = redis.call('HMGET', room, 'version', 'changeId', 'drawPhase')
local version = tonumber(facts[1] or 0)
if facts[2] == ARGV[3] then return { 'put', roomView(openLine()) } end
if version ~= tonumber(ARGV[4]) or (facts[3] or '') ~= ARGV[9] then return { 'conflict' } end
local function countWaiting()
  local inLine = redis.call('ZCARD', KEYS[2]) + redis.call('ZCARD', KEYS[9])
  return inLine + redis.call('ZCARD', KEYS[7]) + redis.call('ZCARD', KEYS[10])
end
if ARGV[10] == '1' and countWaiting() > 0 then return { 'conflict' } end

redis.call('HSET', room, 'version', version + 1, 'changeId', ARGV[3], 'overrides', ARGV[5], 'rules', ARGV[6])
if ARGV[14] ~= '' then redis.call('HSET', room, 'scheduled', ARGV[14]) end
if version == 0 then
  redis.call('HSET', room,
    'epoch', ARGV[7], 'nextNumber', 1, 'seenFrom', 1, 'sweptTo', 0, 'tickedAt', 0, 'pace', '',
    'enteredSeconds', 0, 'freed', 0, 'departed', 0, 'lapsed', 0, 'noShows', 0, 'ended', 0)
end
if ARGV[11] == '1' and not facts[3] then announceDraw(room, ARGV[12], ARGV[13]) end
if ARGV[11] == '0' and facts[3] then redis.call('HDEL', room, 'drawPhase', 'drawSeed', 'drawTicketKey') end
if ARGV[8] == '' then redis.call('DEL', threshold) else redis.call('SET', threshold, ARGV[8]) end
return { 'put', roomView(openLine()) }
