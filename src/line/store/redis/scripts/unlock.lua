--- Lets go of a lock, if it is still ours.
--
-- KEYS[1] admission:lock:{eventId}  STRING  who holds it
-- ARGV[1] who we are
--
-- Replies 1 if it was ours, else 0
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
