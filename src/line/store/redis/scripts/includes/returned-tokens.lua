--- @include line
--- What no-shows used of the rate comes back to it: rules/returned-tokens.ts.

--- An admitted visitor did not show up.
local function returnToken(line)
  local perSecond = line.settings.admitPerSecond
  if not perSecond then return end
  local most = math.floor(bucketSize(line, perSecond))
  if tonumber(redis.call('HGET', line.room, 'returnedTokens') or 0) >= most then
    redis.call('HSET', line.room, 'returnedTokens', most)
    return
  end
  redis.call('HINCRBY', line.room, 'returnedTokens', 1)
end

--- How many a tick may admit beyond the `allowed` of the bucket.
local function countReturned(line, allowed)
  if not line.settings.admitPerSecond or allowed < 1 then return 0 end
  return math.min(tonumber(redis.call('HGET', line.room, 'returnedTokens') or 0), allowed)
end

local function takeReturned(line, count)
  if count > 0 then redis.call('HINCRBY', line.room, 'returnedTokens', -count) end
end
