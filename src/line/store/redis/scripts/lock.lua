--- Takes a lock, or prolongs the one we have, unless it is somebody else's.
--
-- KEYS[1] admission:lock:{eventId}  STRING  who holds it
-- ARGV[1] who we are
-- ARGV[2] for how many ms
--
-- Replies 1 if it is ours now, else 0
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
