--- @include position-of
--- What a visitor is told of their place; the last of a waiter is 1 where they stand in the priority lane:
--   [outcome, 'absent']
--   [outcome, 'lobby', arrival, joinedAt, 1?]
--   [outcome, 'waiting', number, joinedAt, position, 1?]
--   [outcome, 'admitted' or 'active', number, joinedAt, admittedAt, expiresAt]
local function visitAnswer(line, outcome, place)
  if not place then return { outcome, 'absent' } end
  local first = place.lane == 'priority' and 1 or nil
  if place.state == 'lobby' then return { outcome, place.state, place.number, place.joinedAt, first } end
  if place.state == 'waiting' then
    return { outcome, place.state, place.number, place.joinedAt, positionOf(line, place), first }
  end
  return { outcome, place.state, place.number, place.joinedAt, place.admittedAt, place.expiresAt }
end
