--- Admissions and observed ms over the last 60, 300 and 900 seconds, as 'admitted,observedMs,…' in that order.
local function measureWindows(line, history)
  local newest = math.floor(line.now / 1000)
  local slots = redis.call('GET', history) or ''
  local sums = { 0, 0, 0, 0, 0, 0 }
  for from = 1, #slots, 12 do
    local second, admitted, observedMs = struct.unpack('>I4I4I4', slots, from)
    for window, seconds in ipairs({ 60, 300, 900 }) do
      if second > newest - seconds then
        sums[window * 2 - 1] = sums[window * 2 - 1] + admitted
        sums[window * 2] = sums[window * 2] + observedMs
      end
    end
  end
  return string.format('%.0f,%.0f,%.0f,%.0f,%.0f,%.0f', unpack(sums))
end
