--- @include time-now
--- Claims a visitor's request key for these parameters, unless it belongs to others. A repeated call finds its own claim.
--
-- KEYS[1] queue:request:{id}  STRING  'expiresAt fingerprint', kept for 300 s after the last use
-- ARGV[1] fingerprint of the request's parameters
-- ARGV[2] now in ms, '' for the server's clock
--
-- Replies the fingerprint that the key belongs to
local now = timeNow()
local claim = string.format('%.0f %s', now + 300000, ARGV[1])
-- Most keys are new: then one command is enough.
local before = redis.call('SET', KEYS[1], claim, 'PX', 300000, 'NX', 'GET')
if not before then return ARGV[1] end
local expiresAt, fingerprint = string.match(before, '^(%d+) (%S+)$')
if expiresAt and tonumber(expiresAt) > now and fingerprint ~= ARGV[1] then return fingerprint end
redis.call('SET', KEYS[1], claim, 'PX', 300000)
return ARGV[1]
