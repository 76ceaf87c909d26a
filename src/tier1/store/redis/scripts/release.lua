--- Removes a device's position, if it is still this one.
--
-- KEYS    as in includes/read-counters.lua
-- ARGV[1] now in ms, '' for the clock of Redis
-- ARGV[2] device
-- ARGV[3] position
-- Replies 1 if it was removed, else 0
if redis.call('HGET', KEYS[2], ARGV[2]) ~= ARGV[3] then return 0 end
return redis.call('HDEL', KEYS[2], ARGV[2])
