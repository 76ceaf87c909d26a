--- Puts down what happened since the last tick: `stretch` is {admitted, movingMs, freed, slotMs, agedMs, departed,
--- waiterMs}. One slot of 64 bytes per five seconds, 180 of them in turn; a slot names its time, so that one from an
--- earlier round counts for nothing.
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
