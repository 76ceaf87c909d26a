--- Slots that may be given now; below 1 where there is none. A claim room also bounds how many are ready at once.
local function countFree(line)
  local settings = line.settings
  local room = settings.maxActive - redis.call('ZCARD', line.active)
  if settings.admission ~= 'claim' then return room end
  return math.min(room, settings.claimWindow - redis.call('SCARD', line.admitted))
end

--- In a claim room nobody is ready before they have waited minWaitMs; nor is anybody behind them.
local function isTooEarly(line, joinedAt)
  return line.settings.admission == 'claim' and line.now < joinedAt + line.settings.minWaitMs
end
