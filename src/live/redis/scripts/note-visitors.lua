--- Notes that visitors are connected to this instance, beside others where they have streams as well. Repeating it
--- changes nothing.
--
-- KEYS[1] {eventId}:where  HASH  visitor -> instances, separated by commas
-- ARGV[1] the instance
-- ARGV[2…] the visitors, 500 at most
--
-- Replies nothing
local where, instance = KEYS[1], ARGV[1]
-- A visitor with streams in more processes than this is told by the looks of some of them.
local MOST = 128

for i = 2, #ARGV do
  local known = redis.call('HGET', where, ARGV[i])
  if not known or #known > MOST then
    redis.call('HSET', where, ARGV[i], instance)
  elseif not string.find(',' .. known .. ',', ',' .. instance .. ',', 1, true) then
    redis.call('HSET', where, ARGV[i], known .. ',' .. instance)
  end
end
