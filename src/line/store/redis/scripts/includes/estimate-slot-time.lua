local WEIGHTS = { usual = { 0.5, 0.3, 0.2 }, shifted = { 0.8, 0.15, 0.05 }, waves = { 0.05, 0.25, 0.7 } }
local ERRORS = { usual = 0, shifted = 0.15, waves = 0.1 }

local function isOff(stretch, perMs)
  local expected = perMs * stretch[4]
  return math.abs(stretch[3] - expected) > 3 * math.sqrt(0.6 * expected + 1)
end

--- Compares the last minutes with the last quarter of an hour, beyond random variation.
local function findTrend(windows, generations)
  if generations < 1 or windows[3][4] == 0 then return 'usual' end
  local perMs = windows[3][3] / windows[3][4]
  local isMinuteOff = isOff(windows[1], perMs)
  if isMinuteOff and isOff(windows[2], perMs) then return 'shifted' end
  return isMinuteOff and 'waves' or 'usual'
end

--- Slots freed per second and slot observed, over all windows, and its variance relative to its square.
local function weighTurnover(windows, weights)
  local weighted, total, squares = 0, 0, 0
  for i, stretch in ipairs(windows) do
    local freed, slotMs = stretch[3], stretch[4]
    if slotMs > 0 then
      weighted = weighted + weights[i] * (freed / (slotMs / 1000))
      total = total + weights[i]
      squares = squares + weights[i] * weights[i] / (freed + 1)
    end
  end
  return weighted / total, squares / (total * total)
end

local function longestSlotSeconds(settings)
  return ((settings.renew and settings.activeMaxTtlMs or settings.activeTtlMs) + settings.claimTtlMs) / 1000
end

--- The slot time before any measurement, and its relative error.
local function priorSlotTime(settings)
  if settings.expectedStayMs then return settings.expectedStayMs / 1000, 0.25 end
  return settings.activeTtlMs / 2000, 0.7
end

--- The slot time in seconds and its relative standard error. Same operations in the same order as
--- src/line/estimate/estimate-slot-time.ts, which explains them: both compute the same number.
local function estimateSlotTime(line, windows, inside, insideSeconds)
  local long = windows[3]
  local freed, slotMs, agedMs = long[3], long[4], long[5]
  local generations = freed / math.max(1, inside)
  local trend = findTrend(windows, generations)
  local isShifted = trend == 'shifted'
  local old = isShifted and 0.25 or 1
  local prior, priorError = priorSlotTime(line.settings)
  local weight = old / (priorError * priorError)
  local weights = weight
  local weighted = weight / prior
  if freed > 0 and agedMs > 0 and slotMs > 0 then
    local shapeError = 0.12 + 0.4 / (1 + 5 * generations)
    local firstEnds = math.min(1.7, 1 + 0.01 / generations)
    weight = old / (1 / (4 * freed) + shapeError * shapeError)
    weights = weights + weight
    weighted = weighted + weight * firstEnds * math.sqrt(freed / (2 * agedMs / 1000)) / 0.886226925452758
    local perSecond, variance = weighTurnover(windows, WEIGHTS[trend])
    local youth = 0.35 / (generations * generations)
    weight = 1 / (0.6 * variance + youth * youth)
    weights = weights + weight
    weighted = weighted + weight * perSecond
  end
  local share = math.sqrt(1 / weights) + ERRORS[trend]
  local least = generations < 0.05 and 1.5 * insideSeconds / math.max(1, inside) or 0
  return math.min(math.max(weights / weighted, least), longestSlotSeconds(line.settings)), share
end
