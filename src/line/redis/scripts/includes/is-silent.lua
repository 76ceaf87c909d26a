--- A waiter not seen for so long that nobody is there any more.
local function isSilent(line, seenAt)
  return math.max(seenAt, line.resumedAt) + line.settings.seenTtlMs <= line.silenceTime
end
