--- Announces a draw; its seed stays secret until it is done.
local function announceDraw(room, seed, ticketKey)
  redis.call('HSET', room,
    'drawPhase', 'announced', 'drawSeed', seed, 'drawTicketKey', ticketKey, 'drawFirst', 0, 'drawSize', 0,
    'nextArrival', 1)
end
