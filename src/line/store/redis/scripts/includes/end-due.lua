--- @include read-place
--- @include end-place
--- Ends claims and sessions that are over, `limit` at most. True if it stopped at the limit.
local function endDue(line, limit)
  local due = redis.call('ZRANGEBYSCORE', line.active, '-inf', line.endingTime, 'LIMIT', 0, limit)
  for _, visitor in ipairs(due) do endPlace(line, readPlace(line, visitor)) end
  return #due == limit
end
