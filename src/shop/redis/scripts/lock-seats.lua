--- Locks seats, all or none.
--
-- KEYS[…] lock:seat:{eventId}:seatId  STRING  id of the holder
-- ARGV[1] id of the holder
-- ARGV[2] lease in ms
--
-- Replies 1 if all are locked now, else 0
for _, key in ipairs(KEYS) do
  if redis.call('EXISTS', key) == 1 then return 0 end
end
for _, key in ipairs(KEYS) do
  redis.call('SET', key, ARGV[1], 'PX', ARGV[2])
end
return 1
