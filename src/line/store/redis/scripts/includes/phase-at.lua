--- What holds now: the state the operator chose, within the hours the room has.
local function phaseAt(line)
  local settings = line.settings
  if settings.state == 'closed' then return 'closed' end
  if settings.closesAt and line.now >= settings.closesAt then return 'closed' end
  if settings.state == 'paused' then return 'paused' end
  if settings.opensAt and line.now < settings.opensAt then return 'not_open' end
  return 'open'
end
