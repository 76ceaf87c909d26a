--- Milliseconds since the epoch: ARGV[1], or the clock of Redis if that is ''.
local function timeNow()
  if ARGV[1] ~= '' then return tonumber(ARGV[1]) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
