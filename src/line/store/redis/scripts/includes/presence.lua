--- @include line
--- Who is heard from: how a sign of life is noted, and whether a waiter has been quiet for too long.
--
-- A sign of life is a double: the time in whole ms, plus sixteenths of a ms that name the step of QUIET_MS (1 to 6) at the
-- visitor's position; 8 sixteenths more once the live connection closed. Step 0 was written before there were steps.
local QUIET_UP_TO = { 100, 900, 4500, 9000, 90000, math.huge }
--- See src/line/model/presence.ts.
local QUIET_MS = { 12000, 20500, 25500, 40500, 100500, 190500 }
local LOBBY_STEP = 4
local DISCONNECTED = 8

local function quietStepAt(position)
  local step = 1
  while position > QUIET_UP_TO[step] do step = step + 1 end
  return step
end

--- A sign of life now of a waiter at `position`.
local function signAt(line, position)
  return line.now + quietStepAt(position) / 16
end

--- A sign of life now of a visitor in the lobby.
local function lobbySign(line)
  return line.now + LOBBY_STEP / 16
end

--- The connection was a sign of life until now; `sign` is the one before it.
local function disconnectSign(line, sign)
  local step = (sign - math.floor(sign)) * 16 % DISCONNECTED
  return line.now + (step + DISCONNECTED) / 16
end

--- Since when a waiter with this last sign of life is silent. A closed connection shortens the time until they lapse to
--- disconnectGraceMs.
local function silentSince(line, sign)
  local settings = line.settings
  local since = math.floor(sign)
  if (sign - since) * 16 < DISCONNECTED then return since end
  return math.min(since, since - settings.seenTtlMs + settings.disconnectGraceMs)
end

--- Whether a waiter who is silent since then has lapsed, at `silenceTime` or, without it, at line.silenceTime.
local function hasLapsed(line, since, silenceTime)
  return math.max(since, line.resumedAt) + line.settings.seenTtlMs <= (silenceTime or line.silenceTime)
end

--- Whether the place of a waiter with this last sign of life has lapsed.
local function isSilent(line, sign, silenceTime)
  return hasLapsed(line, silentSince(line, sign), silenceTime)
end

--- Whether a waiter with this last sign of life has been quiet for too long to be admitted now: rules/away.ts.
local function isQuiet(line, sign)
  local seenAt = math.floor(sign)
  local step = (sign - seenAt) * 16 % DISCONNECTED
  local quietMs = QUIET_MS[step] or QUIET_MS[#QUIET_MS]
  return math.max(seenAt, line.resumedAt, line.presentFrom) + quietMs <= line.now
end

--- Before a tick: without ticks nobody was examined, and most likely nobody could be heard.
local function noteTickGap(line)
  if line.now - line.tickedAt <= math.max(5000, 3 * line.tickMs) then return end
  line.presentFrom = line.now
  redis.call('HSET', line.room, 'presentFrom', line.now)
end
