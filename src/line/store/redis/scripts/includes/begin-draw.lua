--- @include phase-at
--- At opensAt, or when a closed room is opened after it: from now on nobody comes into the lobby, and numbers are kept
--- for all who are there, so that whoever comes next stands behind them. Pausing holds admission, not the draw.
local function beginDrawIfDue(line)
  local opensAt = line.settings.opensAt
  if line.drawPhase ~= 'announced' or not opensAt or line.now < opensAt then return end
  if phaseAt(line) == 'closed' then return end
  local size = redis.call('ZCARD', line.lobby)
  redis.call('HSET', line.room,
    'drawPhase', 'drawing', 'drawBeganAt', line.now, 'drawFirst', line.nextNumber, 'drawSize', size,
    'drawGatheredTo', 0, 'drawCount', 0, 'nextNumber', line.nextNumber + size)
  line.drawPhase = 'drawing'
  line.nextNumber = line.nextNumber + size
end
