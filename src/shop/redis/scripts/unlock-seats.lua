--- Gives back locks on seats, those of them that are still ours.
--
-- KEYS[…] lock:seat:{eventId}:seatId  STRING  who holds it
-- ARGV[1] who we are
--
-- Replies how many were given back
local count = 0
for _, key in ipairs(KEYS) do
  if redis.call('GET', key) == ARGV[1] then count = count + redis.call('DEL', key) end
end
return count
