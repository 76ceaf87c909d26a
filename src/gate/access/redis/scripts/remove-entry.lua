--- Removes an access entry and gives the list a new version. Repeating it is harmless.
--
-- KEYS[1] access:{live}:entries  HASH  eventId:group:id -> the entry as JSON
-- KEYS[2] access:{live}:version  STRING
-- ARGV[1] the new version
-- ARGV[2] the field
--
-- Replies 1 if there was one, else 0
local removed = redis.call('HDEL', KEYS[1], ARGV[2])
if removed == 1 then redis.call('SET', KEYS[2], ARGV[1]) end
return removed
