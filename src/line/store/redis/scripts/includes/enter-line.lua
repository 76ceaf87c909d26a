--- @include find-place
--- @include begin-session
--- @include touch
--- In the lobby, or with a number by lot.
local function isFromLobby(line, place)
  if place.state == 'lobby' then return true end
  if not line.drawPhase then return false end
  local lots = redis.call('HMGET', line.room, 'drawFirst', 'drawSize')
  local first, size = tonumber(lots[1]), tonumber(lots[2])
  return place.number >= first and place.number < first + size
end

--- Whether a place is the one that `id` names, by its number or, from before it had one, by when it began; '' names any.
local function isMeant(line, place, id)
  if id == '' then return true end
  if id == string.format('%s.@%.0f', line.epoch, place.joinedAt) then return isFromLobby(line, place) end
  return place.state ~= 'lobby' and id == string.format('%s.%.0f', line.epoch, place.number)
end

--- The visitor asks to be inside: 'granted' to whoever is admitted, whatever has become of the room since, and again to
--- whoever is inside already; else 'not-ready'. `tokenId`, unless '', names the one place that is meant. Answers the
--- outcome and the place.
local function enterLine(line, visitor, tokenId)
  local newcomer = line.newcomerBy[visitor]
  if newcomer then return 'not-ready', isMeant(line, newcomer, tokenId) and newcomer or nil end
  local place = findPlace(line, visitor)
  if not place or not isMeant(line, place, tokenId) then return 'not-ready', nil end
  if place.state == 'admitted' then beginSession(line, place) else touch(line, place) end
  local waits = place.state == 'waiting' or place.state == 'lobby'
  return waits and 'not-ready' or 'granted', place
end
