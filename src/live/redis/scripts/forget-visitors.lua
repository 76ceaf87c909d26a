--- Removes this instance from the whereabouts of visitors; their other instances stay. Idempotent.
--
-- KEYS[1] {eventId}:where  HASH  visitor -> instances, separated by commas
-- ARGV[1] the instance
-- ARGV[2…] the visitors, at most 500
--
-- Replies [others, …]: for each visitor the other instances, separated by commas, '' for none
local where, instance = KEYS[1], ARGV[1]

local function without(known)
  local others = {}
  for name in string.gmatch(known, '[^,]+') do
    if name ~= instance then others[#others + 1] = name end
  end
  return table.concat(others, ',')
end

local replies = {}
for i = 2, #ARGV do
  local known = redis.call('HGET', where, ARGV[i]) or ''
  local others = without(known)
  if others == '' then
    redis.call('HDEL', where, ARGV[i])
  elseif others ~= known then
    redis.call('HSET', where, ARGV[i], others)
  end
  replies[#replies + 1] = others
end
return replies
