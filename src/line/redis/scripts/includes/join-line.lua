--- @include find-known
--- @include begin-draw
--- @include phase-at
--- @include stand-last
--- Gives the visitor a place, or finds the one they have. Answers 'joined', 'already', 'closed' or
--- 'number-required', and the place.
-- The caller knows line.waiting and keeps line.newcomers; see includes/add-place.lua.
local function joinLine(line, visitor)
  local known = line.newcomerBy[visitor] or findKnown(line, visitor)
  if known then return 'already', known end
  beginDrawIfDue(line)
  local phase = phaseAt(line)
  if phase == 'closed' then return 'closed', nil end
  if line.numberedBy then return 'number-required', nil end
  return 'joined', standLast(line, visitor, phase)
end
