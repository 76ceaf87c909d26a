--- Releases the lock if we still hold it.
--
-- KEYS[1] admission:lock:{eventId}  STRING  the holder
-- ARGV[1] our id
--
-- Replies 1 if we held it, else 0
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
