--- @include hold-admission
--- Which of these visitors have no place, each -> true, found for all with one call per key: a call out of a script costs
--- more than the looking up. Nobody where there are more keys to look in: then each is looked up when it is their turn.
local function findStrangers(line, visitors)
  local strangers = {}
  if #visitors == 0 or line.hasLane or holdsAdmission(line) then return strangers end
  local numbers = redis.call('ZMSCORE', line.queue, unpack(visitors))
  local places = redis.call('HMGET', line.places, unpack(visitors))
  for i, visitor in ipairs(visitors) do
    if not numbers[i] and not places[i] then strangers[visitor] = true end
  end
  return strangers
end
