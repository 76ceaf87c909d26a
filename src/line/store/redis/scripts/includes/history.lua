--- {eventId}:history: what happened in the last 15 minutes, for the pace. 180 slots of 64 bytes, one per five seconds, in a
--- ring: the slot's time and a stretch {admitted, movingMs, freed, slotMs, agedMs, departed, waiterMs}. A slot names its
--- time, so a slot of an earlier round counts for nothing.

--- Adds the stretch since the last tick to the current slot.
local function recordHistory(line, history, stretch)
  local slot = math.floor(line.now / 5000)
  local from = slot % 180 * 64
  local known = redis.call('GETRANGE', history, from, from + 63)
  if #known == 64 and struct.unpack('>d', known) == slot then
    local sums = { struct.unpack('>dddddddd', known) }
    for i = 1, 7 do stretch[i] = stretch[i] + sums[i + 1] end
  end
  redis.call('SETRANGE', history, from, struct.pack('>dddddddd', slot, unpack(stretch)))
end

--- The stretches of the last 60, 300 and 900 seconds.
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
