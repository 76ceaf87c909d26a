--- Adds this instance to the whereabouts of visitors; their other instances stay. Idempotent.
--
-- KEYS[1] {eventId}:where  HASH  visitor -> instances, separated by commas
-- ARGV[1] the instance
-- ARGV[2…] the visitors, at most 500
--
-- Replies nothing
local where, instance = KEYS[1], ARGV[1]
-- Longest list of instances, in characters. A visitor with streams in more processes gets no hints in some of them;
-- their regular looks find the admission.
local MOST = 128

for i = 2, #ARGV do
  local known = redis.call('HGET', where, ARGV[i])
  if not known or #known > MOST then
    redis.call('HSET', where, ARGV[i], instance)
  elseif not string.find(',' .. known .. ',', ',' .. instance .. ',', 1, true) then
    redis.call('HSET', where, ARGV[i], known .. ',' .. instance)
  end
end
