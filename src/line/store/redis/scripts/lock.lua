--- Takes the lock, or renews our own, unless another process holds it.
--
-- KEYS[1] admission:lock:{eventId}  STRING  the holder
-- ARGV[1] our id
-- ARGV[2] lease in ms
--
-- Replies the time of the server in ms if we hold it now, else 0
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
local time = redis.call('TIME')
return time[1] * 1000 + math.floor(time[2] / 1000)
