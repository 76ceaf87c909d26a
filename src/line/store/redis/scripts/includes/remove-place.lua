--- @include forget-seen
--- @include lane-key
--- The place is gone, for whatever reason. Its number is not given again.
local function removePlace(line, place)
  if place.state == 'waiting' then
    local key = laneKey(line, place.lane)
    redis.call('ZREM', key, place.visitor)
    redis.call('HINCRBY', line.room, 'departed', 1)
    forgetSeen(line, place.number)
    return
  end
  if place.state == 'lobby' then
    redis.call('ZREM', line.lobby, place.visitor)
    return
  end
  redis.call('ZREM', line.active, place.visitor)
  redis.call('SREM', line.admitted, place.visitor)
  redis.call('HDEL', line.places, place.visitor)
  redis.call('HINCRBY', line.room, 'freed', 1)
  redis.call('HINCRBY', line.room, 'enteredSeconds', -math.floor(place.admittedAt / 1000))
end
