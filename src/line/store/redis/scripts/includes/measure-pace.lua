--- @include estimate-slot-time
--- How fast the value shown may move per second: faster the less is known and the further it is off.
local function fastest(shown, value, share)
  local gap = value / shown - 1
  return math.min(0.2 * (share * share + gap * gap), 0.03)
end

--- The value nearest to `shown` that the evidence does not contradict, or as far towards it as one step allows; its
--- error; and whether waiting times may rise.
local function followSlotTime(shown, value, share, passed, creep)
  local fast = math.max(fastest(shown, value, share) * passed, creep)
  local isSlower = value > shown * (1.1 + share / 2)
  local nearest = math.min(math.max(shown, value / (1 + 0.75 * share)), value * (1 + 0.25 * share))
  local next = math.min(math.max(nearest, shown / (1 + fast)), shown * (1 + (isSlower and fast or creep)))
  local gap = value / next - 1
  return next, math.sqrt(share * share + gap * gap), isSlower
end

--- The same for departures, where fewer make the wait longer.
local function followDepartures(shown, value, share, passed, creep)
  if shown == 0 then return value end
  local fast = math.max(fastest(shown, value, share) * passed, creep)
  local nearest = math.min(math.max(shown, value / (1 + 0.25 * share)), value * (1 + 0.75 * share))
  return math.min(math.max(nearest, shown / (1 + creep)), shown * (1 + fast))
end

local function observedPerSecond(windows)
  local weighted, total = 0, 0
  for i, weight in ipairs({ 0.5, 0.3, 0.2 }) do
    local admitted, movingMs = windows[i][1], windows[i][2]
    if movingMs > 0 then
      weighted = weighted + weight * (admitted / (movingMs / 1000))
      total = total + weight
    end
  end
  return total > 0 and string.format('%.17g', weighted / total) or ''
end

local function readPace(line)
  local text = redis.call('HGET', line.room, 'pace') or ''
  -- The last part, with its comma, is what an older version does not write.
  local at, slotTime, depart, change, changedAt, maxActive, perSecond, isOpen, whatWas =
    string.match(text, '^([^,]*),[^,]*,([^,]*),[^,]*,([^,]*),[^,]*,([^,]*),([^,]*),([^,]*),([^,]*),([^,]*)(.*)$')
  return {
    whatWas = whatWas or '',
    at = tonumber(at or 0), slotTime = tonumber(slotTime or 0), depart = tonumber(depart or 0),
    change = change or '', changedAt = tonumber(changedAt or 0),
    maxActive = tonumber(maxActive or 0), perSecond = tonumber(perSecond or 0), isOpen = isOpen == '1',
  }
end

local function findChange(before, maxActive, perSecond, isOpen, isSlower)
  if maxActive < before.maxActive or perSecond < before.perSecond then return 'limit' end
  if isOpen and not before.isOpen then return 'resumed' end
  return isSlower and 'slower' or ''
end

--- The pace of the line as of this tick, as stepPace of src/line/estimate/pace.ts, which explains it. Returns
--- 'at,observedPerSecond,slotSeconds,slotError,departPerSecond,insideSeconds,change,changedAt,maxActive,perSecond,isOpen',
--- with '' for no observedPerSecond or change; with a change also ',maxActive,perSecond,slotSeconds' before it.
local function measurePace(line, windows, waiting, inside, insideSeconds, isOpen)
  local before = readPace(line)
  local settings = line.settings
  local perSecond = settings.admitPerSecond or settings.batchSize / (line.tickMs / 1000)
  local slotTime, slotError = estimateSlotTime(line, windows, inside, insideSeconds)
  local departed, waiterMs = windows[3][6], windows[3][7]
  local depart, departError = 0, 1
  if waiterMs > 0 then
    -- More may have come back in the window than were passed over in it.
    local count = math.max(0, departed)
    depart, departError = count / (waiterMs / 1000), 1 / math.sqrt(count + 1)
  end
  local change, changedAt, whatWas = '', 0, ''
  if before.at > 0 and line.now - before.at <= 60000 then
    local passed = (line.now - before.at) / 1000
    local longestWait = before.slotTime * (1 + waiting / math.max(1, settings.maxActive))
    local creep = 0.5 * passed / longestWait
    local isSlower
    slotTime, slotError, isSlower = followSlotTime(before.slotTime, slotTime, slotError, passed, creep)
    depart = followDepartures(before.depart, depart, departError, passed, creep)
    change, changedAt = findChange(before, settings.maxActive, perSecond, isOpen, isSlower), line.now
    local isStillShown = before.change ~= '' and line.now - before.changedAt < 60000
    if isStillShown then
      whatWas = before.whatWas
    elseif change ~= '' then
      whatWas = string.format(',%.0f,%.17g,%.17g', before.maxActive, before.perSecond, before.slotTime)
    end
    if change == '' then
      change, changedAt = isStillShown and before.change or '', isStillShown and before.changedAt or 0
    end
  end
  return string.format('%.0f,%s,%.17g,%.17g,%.17g,%.0f,%s,%.0f,%.0f,%.17g,%d%s', line.now, observedPerSecond(windows),
    slotTime, slotError, depart, insideSeconds, change, changedAt, settings.maxActive, perSecond, isOpen and 1 or 0,
    whatWas)
end
