--- @include line
--- Tier 1 assigns the numbers from now on. A repeated call changes nothing.
--
-- KEYS    see includes/line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] the activation of tier 1
--
-- Replies nil if there is no such room, else the last number assigned here
local line = openLine()
if not line then return nil end
redis.call('HSET', line.room, 'numberedBy', ARGV[3])
return line.nextNumber - 1
