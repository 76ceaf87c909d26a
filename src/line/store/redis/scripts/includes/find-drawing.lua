--- @include open-line
--- The line, if the draw with that seed is under way in its room: it may be done, or the room cleared, meanwhile.
local function findDrawing(seed)
  local line = openLine()
  if not line or line.drawPhase ~= 'drawing' then return nil end
  if redis.call('HGET', line.room, 'drawSeed') ~= seed then return nil end
  return line
end
