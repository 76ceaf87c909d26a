--- @include end-due
--- @include find-place
--- @include touch
--- The place that the visitor has already, noting that they are there. Of line.strangers, if there is such a list, it is
--- known that they have none.
local function findKnown(line, visitor)
  -- The clock stands still within a script, so once is enough for all who come with it.
  if not line.hasEndedDue then endDue(line, 1000) end
  line.hasEndedDue = true
  if line.strangers and line.strangers[visitor] then return nil end
  local known = findPlace(line, visitor)
  if known then touch(line, known) end
  return known
end
