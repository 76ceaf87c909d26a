--- How many admissions the rate allows now; without a rate, what one tick may admit.
local function allowance(line)
  local settings = line.settings
  local perSecond = settings.admitPerSecond
  if not perSecond then return settings.batchSize end
  local bucket = redis.call('HMGET', line.room, 'tokens', 'refilledAt')
  -- A new room may begin with a burst, so its bucket starts without bound and is cut to its size here.
  local tokens = tonumber(bucket[1] or math.huge)
  local refilledAt = tonumber(bucket[2] or 0)
  -- A bucket smaller than one tick's worth would silently hold admission below the rate that was asked for.
  local size = math.max(1, settings.burst or perSecond, perSecond * line.tickMs / 1000)
  local gained = math.max(0, line.now - refilledAt) / 1000 * perSecond
  line.tokens = math.min(size, tokens + gained)
  redis.call('HSET', line.room, 'tokens', line.tokens, 'refilledAt', math.max(refilledAt, line.now))
  return math.floor(line.tokens)
end
