--- @include count-lobby
--- What a visitor is told of their place:
--   [outcome, 'absent']
--   [outcome, 'lobby', arrival, joinedAt]
--   [outcome, 'waiting', number, joinedAt, position]
--   [outcome, 'admitted' or 'active', number, joinedAt, admittedAt, expiresAt]
local function visitAnswer(line, outcome, place)
  if not place then return { outcome, 'absent' } end
  if place.state == 'lobby' then return { outcome, place.state, place.number, place.joinedAt } end
  if place.state == 'waiting' then
    -- While lots are given, all who have none yet stand before whoever came later.
    local position = place.position or redis.call('ZRANK', line.queue, place.visitor) + 1 + countLobby(line)
    return { outcome, place.state, place.number, place.joinedAt, position }
  end
  return { outcome, place.state, place.number, place.joinedAt, place.admittedAt, place.expiresAt }
end
