--- A waiter not seen for so long that nobody is there any more, by the time given or, without one, that of now.
local function isSilent(line, seenAt, silenceTime)
  return math.max(seenAt, line.resumedAt) + line.settings.seenTtlMs <= (silenceTime or line.silenceTime)
end
