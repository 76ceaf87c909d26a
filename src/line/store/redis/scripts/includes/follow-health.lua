--- @include line
--- Lets the rate follow the health of the site, as src/line/rules/follow-health.ts, which explains it.
--
-- Reports are collected in the room as 'since,responses,errors,count,count,…', one count per latency bucket.

--- The upper bounds of the latency buckets in ms.
local BOUNDS = {}
for _, decade in ipairs({ 1, 10, 100, 1000 }) do
  for _, step in ipairs({ 10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82 }) do BOUNDS[#BOUNDS + 1] = step * decade end
end

--- The reports that no decision has used yet; nil where there are none or they are too old.
local function readReports(line)
  local text = redis.call('HGET', line.room, 'healthReports')
  if not text then return nil end
  local fields = {}
  for field in string.gmatch(text, '[^,]+') do fields[#fields + 1] = tonumber(field) end
  if line.now - fields[1] > 5000 then return nil end
  return { since = fields[1], responses = fields[2], errors = fields[3], latencies = { unpack(fields, 4) } }
end

local function p95Of(latencies)
  local total, below = 0, 0
  for _, count in ipairs(latencies) do total = total + count end
  local rank = 0.95 * total
  for i, count in ipairs(latencies) do
    if count > 0 and below + count >= rank then
      local low = BOUNDS[i - 1] or 0
      local high = BOUNDS[i] or low
      return low + (high - low) * ((rank - below) / count)
    end
    below = below + count
  end
  return 0
end

local function findCause(errorShare, p95Ms, limits)
  if errorShare > limits.maxErrorShare then return 'errors' end
  return p95Ms > limits.maxP95Ms and 'latency' or ''
end

--- The state before this tick, within the bounds of today's settings.
local function healthBefore(line, text)
  local full, limits = line.settings.admitPerSecond, line.settings.followHealth
  if not text then
    return { perSecond = full, cause = '', errorShare = 0, p95Ms = 0, decidedAt = 0, loweredAt = 0, risenTo = line.now }
  end
  local health = readHealth(text)
  if health.cause == '' then health.perSecond = full
  else health.perSecond = math.min(full, math.max(limits.minPerSecond, health.perSecond)) end
  return health
end

local function toFullRate(line, health)
  health.perSecond, health.cause, health.risenTo = line.settings.admitPerSecond, '', line.now
end

local function raise(line, health, passedMs)
  local full = line.settings.admitPerSecond
  local perSecond = health.perSecond + full * math.max(0, passedMs) / 30000
  if perSecond >= full then return toFullRate(line, health) end
  health.perSecond, health.risenTo = perSecond, line.now
end

local function lower(line, health, cause)
  health.cause, health.risenTo = cause, line.now
  local perSecond = math.max(line.settings.followHealth.minPerSecond, health.perSecond / 2)
  if line.now - health.loweredAt < 2000 or perSecond == health.perSecond then return end
  health.perSecond, health.loweredAt = perSecond, line.now
end

--- Decides by the reports, or by their absence. Returns whether the reports have been used.
local function stepHealth(line, health, reports)
  local limits, ignoredUntil = line.settings.followHealth, line.settings.ignoreHealthUntil
  local isIgnored = ignoredUntil and line.now < ignoredUntil
  local responses = reports and reports.responses or 0
  local errorShare = responses == 0 and 0 or reports.errors / responses
  local p95Ms = reports and p95Of(reports.latencies) or 0
  local cause = findCause(errorShare, p95Ms, limits)
  if reports and line.now - reports.since >= 1000 and responses >= 20 then
    health.errorShare, health.p95Ms, health.decidedAt = errorShare, p95Ms, line.now
    if isIgnored then toFullRate(line, health)
    elseif cause == '' then raise(line, health, math.min(line.now - health.risenTo, 5000))
    else lower(line, health, cause) end
    return true
  end
  local quietSince = math.max(health.risenTo, health.decidedAt + 30000)
  local looksBad = responses > 0 and cause ~= ''
  if isIgnored then toFullRate(line, health)
  elseif health.cause ~= '' and not looksBad and line.now > quietSince then raise(line, health, line.now - quietSince) end
  return false
end

--- Part of a tick, before it admits.
local function followHealth(line)
  local settings = line.settings
  if not settings.followHealth or not settings.admitPerSecond then
    redis.call('HDEL', line.room, 'health', 'healthReports')
    line.health = false
    return
  end
  local health = healthBefore(line, line.health)
  local isUsed = stepHealth(line, health, readReports(line))
  line.health = string.format('%.17g,%s,%.17g,%.17g,%.0f,%.0f,%.0f', health.perSecond, health.cause, health.errorShare,
    health.p95Ms, health.decidedAt, health.loweredAt, health.risenTo)
  redis.call('HSET', line.room, 'health', line.health)
  if isUsed then redis.call('HDEL', line.room, 'healthReports') end
end
