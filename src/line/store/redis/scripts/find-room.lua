--- @include open-line
--- @include room-view
--- How it stands with the room. Reads only.
--
-- KEYS    see includes/open-line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
--
-- Replies nil if there is no such room, else the view as in includes/room-view.lua
local line = openLine()
if not line then return nil end
return roomView(line)
