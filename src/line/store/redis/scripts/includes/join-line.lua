--- @include find-known
--- @include begin-draw
--- @include phase-at
--- @include stand-last
--- @include lane-for
--- Gives the visitor a place, or finds the one they have, in the lane that it is in. Answers 'joined', 'already', 'closed'
--- or 'number-required', and the place.
-- The caller knows line.waiting, line.lanes and line.strangers, and keeps line.newcomers; see includes/add-place.lua.
local function joinLine(line, visitor, isPriority)
  local known = line.newcomerBy[visitor] or findKnown(line, visitor)
  if known then return 'already', known end
  beginDrawIfDue(line)
  local phase = phaseAt(line)
  if phase == 'closed' then return 'closed', nil end
  if line.numberedBy then return 'number-required', nil end
  line.strangers[visitor] = nil
  return 'joined', standLast(line, visitor, laneFor(line, isPriority), phase)
end
