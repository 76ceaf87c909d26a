--- @include find-place
--- @include begin-session
--- @include touch
--- Whether a place is the one that `tokenId` names; '' names any.
local function isMeant(line, place, tokenId)
  return tokenId == '' or tokenId == string.format('%s.%.0f', line.epoch, place.number)
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
  return place.state == 'waiting' and 'not-ready' or 'granted', place
end
