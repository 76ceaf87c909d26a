--- @include line
--- The line, if the draw with that seed is running; nil if it has finished or the room was cleared.
local function findDrawing(seed)
  local line = openLine()
  if not line or line.drawPhase ~= 'drawing' then return nil end
  if redis.call('HGET', line.room, 'drawSeed') ~= seed then return nil end
  return line
end
