--- @include open-line
--- @include find-place
--- @include remove-place
--- @include write-seen
--- The visitor's last live connection closed, which is not leaving. A waiter keeps the place for disconnectGraceMs; a
--- session goes on, unless the room ends it at once. Who is admitted was promised a time to come, and keeps it.
--
-- KEYS    see includes/open-line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] the visitor
--
-- Replies nil if there is no such room, else
--   ['absent']
--   ['kept']
--   ['left', from]  from: 'waiting', 'admitted', 'active'
local line = openLine()
if not line then return nil end
local place = findPlace(line, ARGV[3])
if not place then return { 'absent' } end

local settings = line.settings
local isWaiting = place.state == 'waiting'
-- Who is ready in a claim room was promised a time to enter.
local isPromised = place.state == 'admitted' and settings.admission == 'claim'
local letsGo = settings.releaseOnDisconnect and not isPromised
if isWaiting then letsGo = settings.disconnectGraceMs == 0 end
if letsGo then
  removePlace(line, place)
  return { 'left', place.state }
end
-- Last seen is dated back, so that the one rule for silent waiters finds them when the grace is over.
if isWaiting then
  local seenAt = math.min(line.now, line.now - settings.seenTtlMs + settings.disconnectGraceMs)
  writeSeen(line, place.number, place.joinedAt, seenAt)
end
return { 'kept' }
