--- @include open-line
--- @include find-place
--- @include remove-place
--- @include write-seen
--- @include lobby-seen
--- The visitor's last live connection closed, which is not leaving. A waiter keeps the place for disconnectGraceMs; who
--- is inside stays inside, unless the room lets go of them at once. Who is ready in a claim room was promised a time to
--- enter, and keeps it.
--
-- KEYS    see includes/open-line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] the visitor
--
-- Replies nil if there is no such room, else
--   ['absent']
--   ['kept']
--   ['left', from]  from: 'lobby', 'waiting', 'admitted', 'active'
local line = openLine()
if not line then return nil end
local place = findPlace(line, ARGV[3])
if not place then return { 'absent' } end

local settings = line.settings
local isWaiter = place.state == 'waiting' or place.state == 'lobby'
local isPromised = place.state == 'admitted' and settings.admission == 'claim'
local letsGo = settings.releaseOnDisconnect and not isPromised
if isWaiter then letsGo = settings.disconnectGraceMs == 0 end
if letsGo then
  removePlace(line, place)
  return { 'left', place.state }
end
-- Last seen is dated back, so that the one rule for silent waiters finds them when the grace is over.
if isWaiter then
  local seenAt = math.min(line.now, line.now - settings.seenTtlMs + settings.disconnectGraceMs)
  local write = place.state == 'lobby' and writeLobbySeen or writeSeen
  write(line, place.number, place.joinedAt, seenAt, place.lane)
end
return { 'kept' }
