--- Milliseconds since the epoch: ARGV[2], or the server's clock where that is ''.
local function timeNow()
  if ARGV[2] ~= '' then return tonumber(ARGV[2]) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
