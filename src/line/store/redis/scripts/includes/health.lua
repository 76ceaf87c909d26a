--- The rate that follows the health of the site, as the last tick left it: src/line/model/site-health.ts. In the room as
--- the text 'perSecond,cause,errorShare,p95Ms,decidedAt,loweredAt,risenTo'; the cause is '' at the full rate.
local function readHealth(text)
  local perSecond, cause, errorShare, p95Ms, decidedAt, loweredAt, risenTo =
    string.match(text, '^([^,]*),([^,]*),([^,]*),([^,]*),([^,]*),([^,]*),([^,]*)$')
  return {
    perSecond = tonumber(perSecond), cause = cause, errorShare = tonumber(errorShare), p95Ms = tonumber(p95Ms),
    decidedAt = tonumber(decidedAt), loweredAt = tonumber(loweredAt), risenTo = tonumber(risenTo),
  }
end

--- The rate in force; nil in a room without a rate. `health` is the text above or false.
local function effectiveRate(settings, health)
  local full = settings.admitPerSecond
  if not full then return nil end
  local perSecond = full
  if health and settings.followHealth then
    local known = readHealth(health)
    if known.cause ~= '' then
      perSecond = math.min(full, math.max(settings.followHealth.minPerSecond, known.perSecond))
    end
  end
  return perSecond
end
