--- @include begin-session
--- @include session-end
--- @include write-seen
--- @include lobby-seen
--- Notes that the visitor is there: a waiter stays in line, an admitted one has shown up, a session is prolonged. In a
--- claim room being there is not asking to enter: who is ready stays ready, and not for longer.
local function touch(line, place)
  if place.state == 'waiting' then return writeSeen(line, place.number, place.joinedAt, line.now) end
  if place.state == 'lobby' then return writeLobbySeen(line, place.number, place.joinedAt, line.now, place.lane) end
  if place.state == 'admitted' then
    if line.settings.admission == 'auto' then beginSession(line, place) end
    return
  end
  -- Never shortened: what a token already promises stays true when an operator cuts the session's length.
  local expiresAt = sessionEnd(line, place)
  if expiresAt <= place.expiresAt then return end
  place.expiresAt = expiresAt
  redis.call('ZADD', line.active, expiresAt, place.visitor)
end
