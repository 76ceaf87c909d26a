--- The time by which silence counts at `time`, which is not later than now: that time, unless the line stood still.
local function silenceTimeAt(line, time)
  if line.tickedAt == 0 then return time end
  return math.min(time, line.tickedAt + 30000)
end

--- Whether the line stands still at this moment, for want of a tick, or has just gone on. Sets the times by which silence
--- counts (silenceTime) and by which claims and sessions end (endingTime): see rules/standstill.ts.
local function readStandstill(line, stoppedAt, resumedAt, graceUntil)
  line.resumedAt = resumedAt
  line.silenceTime = silenceTimeAt(line, line.now)
  line.endingTime = line.now < graceUntil and stoppedAt or line.silenceTime
end

--- Before a tick: whether the line stood still until now.
local function noteStandstill(line)
  if line.silenceTime == line.now then return end
  -- A second one within the grace of the first takes nothing from those who had it.
  line.resumedAt = line.now
  redis.call('HSET', line.room,
    'stoppedAt', line.endingTime, 'resumedAt', line.now, 'graceUntil', line.now + line.settings.claimTtlMs)
end
