--- @include places
--- @include silence
--- The visitor's last live connection closed, which is not leaving. A waiter keeps the place for disconnectGraceMs. A
--- visitor inside stays inside unless the room has releaseOnDisconnect. A visitor who is ready in a claim room keeps the
--- time that was promised.
--
-- KEYS    see includes/line.lua
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
local isReleased = settings.releaseOnDisconnect and not isPromised
if isWaiter then isReleased = settings.disconnectGraceMs == 0 end
if isReleased then
  removePlace(line, place)
  return { 'left', place.state }
end
-- The connection was a sign of life until now: a page that reconnects within some seconds is not passed over.
if isWaiter then
  local write = place.state == 'lobby' and writeLobbySeen or writeSeen
  local sign = disconnectSign(line, place.sign)
  write(line, place.number, place.joinedAt, sign, place.lane)
  noteSilence(line, silentSince(line, sign))
end
return { 'kept' }
