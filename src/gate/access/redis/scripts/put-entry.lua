--- Adds an access entry or replaces it, removes expired ones, and gives the list a new version. Repeating it is harmless.
--
-- KEYS[1] access:{live}:entries  HASH  eventId:group:id -> the entry as JSON
-- KEYS[2] access:{live}:version  STRING
-- ARGV[1] the new version
-- ARGV[2] the field
-- ARGV[3] the entry as JSON
-- ARGV[4] the prefix of all fields of its room and group
-- ARGV[5] how many fields may have that prefix
-- ARGV[6] how many fields there may be
-- ARGV[7] '1': only if the field is new
-- ARGV[8…] fields that have expired
--
-- Replies 'stored', 'exists' or 'full'
for i = 8, #ARGV do redis.call('HDEL', KEYS[1], ARGV[i]) end
local known = redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1
if known and ARGV[7] == '1' then return 'exists' end
if not known then
  local fields = redis.call('HKEYS', KEYS[1])
  local same = 0
  for _, field in ipairs(fields) do
    if string.sub(field, 1, #ARGV[4]) == ARGV[4] then same = same + 1 end
  end
  if same >= tonumber(ARGV[5]) or #fields >= tonumber(ARGV[6]) then return 'full' end
end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
redis.call('SET', KEYS[2], ARGV[1])
return 'stored'
