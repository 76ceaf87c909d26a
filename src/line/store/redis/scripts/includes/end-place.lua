--- @include remove-place
--- A claim or a session is over.
local function endPlace(line, place)
  redis.call('HINCRBY', line.room, place.state == 'admitted' and 'noShows' or 'ended', 1)
  removePlace(line, place)
end
