--- @include add-place
--- @include stand-in-lobby
--- Behind all who are there; before a draw, among them.
-- The caller knows line.waiting and keeps line.newcomers; see includes/add-place.lua.
local function standLast(line, visitor, phase)
  if line.drawPhase == 'announced' then return standInLobby(line, visitor) end
  return addPlace(line, visitor, phase)
end
