--- From the announcement of a draw until the lots are given nobody is let in.
local function holdsAdmission(line)
  return line.drawPhase and line.drawPhase ~= 'drawn'
end
