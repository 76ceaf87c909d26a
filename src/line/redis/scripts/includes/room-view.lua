--- @include count-lobby
--- The room as it stands now, for the reply: epoch, overrides, version, now, waiting, admitted, active, pace, and of its
--- draw: phase, ticket key, first number and how many are kept for the lots; '' and 0 where there is none.
local function roomView(line)
  local facts = redis.call('HMGET', line.room, 'epoch', 'overrides', 'version', 'pace',
    'drawTicketKey', 'drawFirst', 'drawSize')
  local inside = redis.call('ZCARD', line.active)
  local admitted = redis.call('SCARD', line.admitted)
  local waiting = redis.call('ZCARD', line.queue) + countLobby(line)
  return {
    facts[1], facts[2], tonumber(facts[3]), line.now, waiting, admitted, inside - admitted, facts[4],
    line.drawPhase or '', facts[5] or '', tonumber(facts[6] or 0), tonumber(facts[7] or 0),
  }
end
