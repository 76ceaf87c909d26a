--- @include open-line
--- @include find-place
--- @include remove-place
--- From anywhere to absent. Leaving twice is the same as leaving once.
--
-- KEYS    see includes/open-line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] the visitor
--
-- Replies nil if there is no such room, else
--   ['absent']
--   ['left', from]  from: 'lobby', 'waiting', 'admitted', 'active'
local line = openLine()
if not line then return nil end
local place = findPlace(line, ARGV[3])
if not place then return { 'absent' } end
removePlace(line, place)
return { 'left', place.state }
