--- How many may be inside: in a room that follows the stock no more than what is left could serve, and nobody before that
--- is known.
local function readLimit(line)
  local settings = line.settings
  if not settings.followStock then return settings.maxActive end
  local stock = redis.call('HGET', line.room, 'stock')
  local slots = stock and string.match(stock, '^%d+') or 0
  return math.min(settings.maxActive, tonumber(slots))
end

--- Slots that may be given now; below 1 where there is none. A claim room also bounds how many are ready at once.
local function countFree(line)
  local settings = line.settings
  local room = readLimit(line) - redis.call('ZCARD', line.active)
  if settings.admission ~= 'claim' then return room end
  return math.min(room, settings.claimWindow - redis.call('SCARD', line.admitted))
end

--- In a claim room nobody is ready before they have waited minWaitMs; nor is anybody behind them.
local function isTooEarly(line, joinedAt)
  return line.settings.admission == 'claim' and line.now < joinedAt + line.settings.minWaitMs
end
