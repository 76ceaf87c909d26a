--- @include line
--- Tier 1 assigns the numbers from now on. A repeated call changes nothing, nor does one of an activation that has ended: it
--- was under way for long, and would leave the line without anyone who assigns numbers.
--
-- KEYS    see includes/line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] the activation of tier 1
--
-- Replies nil if there is no such room, else the last number assigned here
local line = openLine()
if not line then return nil end
local ended = redis.call('HGET', line.room, 'endedActivations') or ''
local hasEnded = string.find(',' .. ended .. ',', ',' .. ARGV[3] .. ',', 1, true)
if not hasEnded then redis.call('HSET', line.room, 'numberedBy', ARGV[3]) end
return line.nextNumber - 1
