--- What happened in the last 60, 300 and 900 seconds: three stretches, as in includes/record-history.lua.
local function measureWindows(line, history)
  local newest = math.floor(line.now / 5000)
  local slots = redis.call('GET', history) or ''
  local windows = { { 0, 0, 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0, 0, 0 } }
  for from = 1, #slots, 64 do
    local slot = { struct.unpack('>dddddddd', slots, from) }
    for window, count in ipairs({ 12, 60, 180 }) do
      if slot[1] > newest - count then
        for i = 1, 7 do windows[window][i] = windows[window][i] + slot[i + 1] end
      end
    end
  end
  return windows
end
