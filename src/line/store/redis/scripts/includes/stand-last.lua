--- @include add-place
--- @include stand-in-lobby
--- Behind all who are there in the lane; before a draw, among them.
-- The caller knows line.waiting and line.lanes and keeps line.newcomers; see includes/add-place.lua.
local function standLast(line, visitor, lane, phase)
  if line.drawPhase == 'announced' then return standInLobby(line, visitor, lane) end
  return addPlace(line, visitor, lane, phase)
end
