--- Locks seats, all or none.
--
-- KEYS[…] lock:seat:{eventId}:seatId  STRING  who holds it
-- ARGV[1] who we are
-- ARGV[2] for how many ms
--
-- Replies 1 if they are ours now, else 0
for _, key in ipairs(KEYS) do
  if redis.call('EXISTS', key) == 1 then return 0 end
end
for _, key in ipairs(KEYS) do
  redis.call('SET', key, ARGV[1], 'PX', ARGV[2])
end
return 1
