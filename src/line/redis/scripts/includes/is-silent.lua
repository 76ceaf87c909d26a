--- A waiter not seen for so long that nobody is there any more.
local function isSilent(line, seenAt)
  return seenAt + line.settings.seenTtlMs <= line.now
end
