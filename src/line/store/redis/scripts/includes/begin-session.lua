--- @include write-place
--- @include session-end
--- The visitor is let in and there.
local function beginSession(line, place)
  if place.state == 'admitted' then redis.call('SREM', line.admitted, place.visitor) end
  place.state = 'active'
  place.activeAt = line.now
  writePlace(line, place, sessionEnd(line, place))
end
