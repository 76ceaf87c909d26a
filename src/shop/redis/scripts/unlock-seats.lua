--- Releases seat locks that the holder still has.
--
-- KEYS[…] lock:seat:{eventId}:seatId  STRING  id of the holder
-- ARGV[1] id of the holder
--
-- Replies the number of released locks
local count = 0
for _, key in ipairs(KEYS) do
  if redis.call('GET', key) == ARGV[1] then count = count + redis.call('DEL', key) end
end
return count
