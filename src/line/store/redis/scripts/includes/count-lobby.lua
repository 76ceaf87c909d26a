--- @include hold-admission
--- How many are in the lobby.
local function countLobby(line)
  return holdsAdmission(line) and redis.call('ZCARD', line.lobby) or 0
end
