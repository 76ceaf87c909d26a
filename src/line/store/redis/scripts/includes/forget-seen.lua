--- Whoever had `number` waits no more. What the string holds of it goes when the string is cut; the rest goes here.
local function forgetSeen(line, number)
  if number < line.seenFrom then redis.call('HDEL', line.room, 'early:' .. number) end
end
