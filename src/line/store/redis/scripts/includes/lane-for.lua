--- In which lane a newcomer stands: a room that keeps no share for it has no priority lane.
local function laneFor(line, isPriority)
  return isPriority and line.settings.priorityShare > 0 and 'priority' or 'ordinary'
end
