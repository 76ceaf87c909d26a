--- `count` were let in during the `observedMs` before now. One slot of 12 bytes per second, 900 of them in turn; a slot
--- names its second, so that one from an earlier round counts for nothing.
local function recordHistory(line, history, count, observedMs)
  local second = math.floor(line.now / 1000)
  local from = second % 900 * 12
  local slot = redis.call('GETRANGE', history, from, from + 11)
  if #slot == 12 then
    local ofSecond, admitted, observed = struct.unpack('>I4I4I4', slot)
    if ofSecond == second then count, observedMs = count + admitted, observedMs + observed end
  end
  redis.call('SETRANGE', history, from, struct.pack('>I4I4I4', second, count, observedMs))
end
