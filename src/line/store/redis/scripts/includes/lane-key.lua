--- The sorted set of those who wait in a lane.
local function laneKey(line, lane)
  return lane == 'priority' and line.priority or line.queue
end
