--- @include presence
--- How silent the waiters of a line are at most, so that a sweep need not look at each of them to find that nobody lapsed.
--
-- In {eventId}:room: silentFrom (nobody who is not away is silent since before that time), silentFor (the settings that it
-- was measured with), sweepFrom (the same time for those whom the sweep under way has passed; absent between two sweeps).
-- Signs of life only make waiters less silent; a connection that closes is noted here.

--- The settings that silentSince depends on.
local function silenceSettings(line)
  return string.format('%.0f:%.0f', line.settings.seenTtlMs, line.settings.disconnectGraceMs)
end

--- Whether somebody may have lapsed, or a sweep is under way.
local function needsSweep(line)
  local facts = redis.call('HMGET', line.room, 'silentFrom', 'silentFor', 'sweepFrom')
  if facts[3] or not facts[1] or facts[2] ~= silenceSettings(line) then return true end
  return hasLapsed(line, tonumber(facts[1]))
end

--- A waiter is silent since then, perhaps for longer than noted.
local function noteSilence(line, since)
  for _, field in ipairs({ 'silentFrom', 'sweepFrom' }) do
    local noted = redis.call('HGET', line.room, field)
    if noted and since < tonumber(noted) then redis.call('HSET', line.room, field, since) end
  end
end
