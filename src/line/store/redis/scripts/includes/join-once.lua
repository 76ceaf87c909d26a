--- @include find-place
--- @include touch
--- @include join-line
--- Where the visitor stands, noting that they are there. Newcomers are not written down yet.
local function lookUp(line, visitor)
  local newcomer = line.newcomerBy[visitor]
  if newcomer then return newcomer end
  local place = findPlace(line, visitor)
  if place then touch(line, place) end
  return place
end

--- As joining, unless the request was made before: then 'duplicate', and where they stand. `attempt` names this call:
--- sent again after its reply was lost, it is answered as it was.
--
-- `dedupe` {eventId}:dedupe:{id}  STRING  'expiresAt attempt outcome', kept for 300 s
local function joinOnce(line, visitor, isPriority, dedupe, attempt)
  local expiresAt, by, before = string.match(redis.call('GET', dedupe) or '', '^(%d+) (%S+) (%S+)$')
  if expiresAt and tonumber(expiresAt) > line.now then
    return by == attempt and before or 'duplicate', lookUp(line, visitor)
  end
  local outcome, place = joinLine(line, visitor, isPriority)
  if place then
    local value = string.format('%.0f %s %s', line.now + 300000, attempt, outcome)
    redis.call('SET', dedupe, value, 'PX', 300000)
  end
  return outcome, place
end
