--- The room as it stands now, for the reply: epoch, overrides, version, now, waiting, admitted, active, pace, stock.
local function roomView(line)
  local facts = redis.call('HMGET', line.room, 'epoch', 'overrides', 'version', 'pace', 'stock')
  local inside = redis.call('ZCARD', line.active)
  local admitted = redis.call('SCARD', line.admitted)
  local waiting = redis.call('ZCARD', line.queue)
  return { facts[1], facts[2], tonumber(facts[3]), line.now, waiting, admitted, inside - admitted, facts[4], facts[5] or '' }
end
