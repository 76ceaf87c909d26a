--- @include end-due
--- @include find-place
--- @include touch
--- @include phase-at
--- @include add-place
--- @include begin-draw
--- @include stand-in-lobby
--- Gives the visitor a place, or finds the one they have. Answers 'joined', 'already' or 'closed', and the place.
-- The caller knows line.waiting and keeps line.newcomers; see includes/add-place.lua.
local function joinLine(line, visitor)
  local newcomer = line.newcomerBy[visitor]
  if newcomer then return 'already', newcomer end
  -- The clock stands still within a script, so once is enough for all who come with it.
  if not line.hasEndedDue then endDue(line, 1000) end
  line.hasEndedDue = true
  local known = findPlace(line, visitor)
  if known then
    touch(line, known)
    return 'already', known
  end
  beginDrawIfDue(line)
  local phase = phaseAt(line)
  if phase == 'closed' then return 'closed', nil end
  if line.drawPhase == 'announced' then return 'joined', standInLobby(line, visitor) end
  return 'joined', addPlace(line, visitor, phase)
end
