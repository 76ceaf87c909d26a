--- Adds lots to the addresses that they came from: see lot-sources.ts. A repeated call counts twice, which a statistic bears.
--
-- KEYS[1] {eventId}:lot-sources       ZSET  hashed address -> lots
-- KEYS[2] {eventId}:lot-source-times  HASH  hashed address -> 'from to' in ms; :lots, :dropped: sums over all addresses
-- ARGV[1] how many addresses are kept
-- ARGV[2] how long they are kept after the last lot, in seconds
-- ARGV[3…] for each address: its hash, lots, from, to
--
-- Replies the number of addresses
local most = tonumber(ARGV[1])
local total = 0
for i = 3, #ARGV, 4 do
  local address, lots, from, to = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  redis.call('ZINCRBY', KEYS[1], lots, address)
  local first = string.match(redis.call('HGET', KEYS[2], address) or '', '^%d+') or from
  redis.call('HSET', KEYS[2], address, first .. ' ' .. to)
  total = total + tonumber(lots)
end
redis.call('HINCRBY', KEYS[2], ':lots', total)
local count = redis.call('ZCARD', KEYS[1])
if count > most then
  -- A tenth more than necessary, so that it happens seldom. Equal scores are ordered by the hash, which is as good as random.
  local dropped = redis.call('ZPOPMIN', KEYS[1], count - most + math.floor(most / 10))
  for i = 1, #dropped, 2 do redis.call('HDEL', KEYS[2], dropped[i]) end
  redis.call('HINCRBY', KEYS[2], ':dropped', #dropped / 2)
end
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[2])
return redis.call('ZCARD', KEYS[1])
