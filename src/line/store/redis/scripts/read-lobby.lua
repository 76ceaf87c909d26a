--- @include places
--- The visitors of the lobby who were present when the draw began, in order of arrival. Those who were silent lapse.
--
-- KEYS    see includes/line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] the arrival before the first of them
-- ARGV[4] how many arrivals to read at most
--
-- Replies [visitor, …], one per arrival, '' for those not present; empty if no draw is running
local line = openLine()
if not line or line.drawPhase ~= 'drawing' then return {} end
local after, limit = tonumber(ARGV[3]), tonumber(ARGV[4])
local to = math.min(after + limit, line.nextArrival - 1)
local silenceTime = silenceTimeAt(line, tonumber(redis.call('HGET', line.room, 'drawBeganAt')))
local found = redis.call('ZRANGEBYSCORE', line.lobby, after + 1, to, 'WITHSCORES')
local seen = redis.call('GETRANGE', line.lobbySeen, after * 16, to * 16 - 1)
local visitors, silent = {}, {}
for i = 1, to - after do visitors[i] = '' end
for i = 1, #found, 2 do
  local nth = found[i + 1] - after
  local sign = struct.unpack('>d', seen, nth * 16 - 7)
  if isSilent(line, sign, silenceTime) then silent[#silent + 1] = found[i] else visitors[nth] = found[i] end
end
if #silent > 0 then
  redis.call('ZREM', line.lobby, unpack(silent))
  redis.call('HINCRBY', line.room, 'lapsed', #silent)
end
return visitors
