--- @include line
--- Takes a stock report of the shop. A repeated or late report changes nothing. See rules/follow-stock.ts.
--
-- KEYS    see includes/line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] how many are neither sold nor held
-- ARGV[4] how many are held
-- ARGV[5] when that was read, in microseconds by the shop's clock
-- ARGV[6…] the visitors who hold something
--
-- Replies nil if there is no such room, else 1
local line = openLine()
if not line then return nil end
local asOf = tonumber(ARGV[5])
if asOf < tonumber(redis.call('HGET', line.room, 'stockAsOf') or 0) then return 1 end
local slots = tonumber(ARGV[3])
for i = 6, #ARGV do
  if redis.call('ZSCORE', line.active, ARGV[i]) then slots = slots + 1 end
end
local isSoldOut = ARGV[3] == '0' and ARGV[4] == '0'
redis.call('HSET', line.room,
  'stock', string.format('%d,%d', slots, isSoldOut and 1 or 0), 'stockAsOf', string.format('%.0f', asOf))
return 1
