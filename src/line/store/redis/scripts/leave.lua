--- @include places
--- Gives up the place, whatever its state. A repeated call changes nothing.
--
-- KEYS    see includes/line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] the visitor
-- ARGV[4] id of the one place that is meant, '' for any
--
-- Replies nil if there is no such room, else
--   ['absent']
--   ['left', from]  from: 'lobby', 'waiting', 'admitted', 'active'
local line = openLine()
if not line then return nil end
local place = findPlace(line, ARGV[3])
if not place then return { 'absent' } end
if not isNamed(line, place, ARGV[4]) then return { 'absent' } end
removePlace(line, place)
return { 'left', place.state }
