--- When a session that is seen now ends: after activeTtlMs, within the cap.
local function sessionEnd(line, place)
  local settings = line.settings
  local from = settings.renew and line.now or place.activeAt
  return math.min(from + settings.activeTtlMs, place.activeAt + settings.activeMaxTtlMs)
end
