--- @include follow-health
--- Collects a report on the site behind the room for the next tick. A repeated report only gets more weight.
--
-- KEYS    see includes/line.lua
-- ARGV[1] JSON {defaults, tickMs}
-- ARGV[2] now in ms, '' for the server's clock
-- ARGV[3] how many responses
-- ARGV[4] how many of them were errors
-- ARGV[5] how many took how long: one count per latency bucket, with commas
--
-- Replies nil if there is no such room, else 1
local line = openLine()
if not line then return nil end
if not line.settings.followHealth then return 1 end
local reports = readReports(line) or { since = line.now, responses = 0, errors = 0, latencies = {} }
local fields = { reports.since, reports.responses + tonumber(ARGV[3]), reports.errors + tonumber(ARGV[4]) }
for count in string.gmatch(ARGV[5], '[^,]+') do
  fields[#fields + 1] = (reports.latencies[#fields - 2] or 0) + tonumber(count)
end
for i, field in ipairs(fields) do fields[i] = string.format('%.0f', field) end
redis.call('HSET', line.room, 'healthReports', table.concat(fields, ','))
return 1
