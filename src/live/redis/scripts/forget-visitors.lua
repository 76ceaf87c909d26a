--- Takes out those visitors who are still said to be connected to this instance. Whoever has come to another meanwhile
--- stays. Repeating it changes nothing.
--
-- KEYS[1] {eventId}:where  HASH  visitor -> instance
-- ARGV[1] the instance
-- ARGV[2…] the visitors, 500 at most
--
-- Replies how many were taken out
local where = KEYS[1]
local removed = 0
for i = 2, #ARGV do
  if redis.call('HGET', where, ARGV[i]) == ARGV[1] then
    removed = removed + redis.call('HDEL', where, ARGV[i])
  end
end
return removed
