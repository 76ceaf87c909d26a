--- Takes what was admitted out of the bucket that allowance has just filled; a room without a rate has none.
local function takeTokens(line, count)
  if not line.settings.admitPerSecond or count == 0 then return end
  line.tokens = line.tokens - count
  redis.call('HSET', line.room, 'tokens', line.tokens)
end
