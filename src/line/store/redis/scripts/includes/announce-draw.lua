--- Announces a draw; its seed stays secret until it is done.
local function announceDraw(room, seed, lotKey)
  redis.call('HSET', room,
    'drawPhase', 'announced', 'drawSeed', seed, 'drawTicketKey', lotKey, 'drawFirst', 0, 'drawSize', 0,
    'nextArrival', 1)
end
