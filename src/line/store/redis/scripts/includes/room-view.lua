--- @include count-lobby
--- The room as it stands now, for the reply: epoch, overrides, version, now, waiting, admitted, active, pace, stock, and
--- of its draw: phase, lot key, first number and how many are kept for the lots; '' and 0 where there is none. Last
--- how many were let in and how many of them did not show up, ever.
local function roomView(line)
  local facts = redis.call('HMGET', line.room, 'epoch', 'overrides', 'version', 'pace', 'stock',
    'drawTicketKey', 'drawFirst', 'drawSize', 'admittedTotal', 'noShowsTotal')
  local inside = redis.call('ZCARD', line.active)
  local admitted = redis.call('SCARD', line.admitted)
  local waiting = redis.call('ZCARD', line.queue) + countLobby(line)
  if line.hasLane then waiting = waiting + redis.call('ZCARD', line.priority) end
  return {
    facts[1], facts[2], tonumber(facts[3]), line.now, waiting, admitted, inside - admitted, facts[4], facts[5] or '',
    line.drawPhase or '', facts[6] or '', tonumber(facts[7] or 0), tonumber(facts[8] or 0),
    tonumber(facts[9] or 0), tonumber(facts[10] or 0),
  }
end
