--- How many stand in each lane, newcomers who are not written down yet included; counted once.
local function countLanes(line)
  if not line.lanes then
    line.lanes = {
      ordinary = redis.call('ZCARD', line.queue),
      priority = line.hasLane and redis.call('ZCARD', line.priority) or 0,
    }
  end
  return line.lanes
end
