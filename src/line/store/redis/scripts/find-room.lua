--- @include line
--- Reads the room.
--
-- KEYS    see includes/line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
--
-- Replies nil if there is no such room, else the view: see roomView in includes/line.lua
local line = openLine()
if not line then return nil end
return roomView(line)
