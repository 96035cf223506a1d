-- What a user of Neovim does, with the nvim-dap that is loaded. Prints each stop as a line of JSON.
-- Globals: file and breakpoint of the user, name of the configuration, and steps, a list of {what to do, line where it stops}.

local dap = require('dap')
local WAIT_MS = 60000

local function fail(text)
  io.stderr:write(text .. '\n')
  vim.cmd('cquit')
end

local function frame()
  return (dap.session() or {}).current_frame
end

-- Waits until the debugger shows another frame than before, which has to be at a line.
local function await_line(line, before)
  vim.wait(WAIT_MS, function()
    return frame() ~= before
  end, 20)
  if frame() == before or frame().line ~= line then
    fail(('expected to stop at line %d, but the frame is %s'):format(line, vim.inspect(frame())))
  end
  return frame()
end

local function evaluate(expression)
  local result
  dap.session():evaluate(expression, function(failure, answer)
    result = failure and failure.message or answer.result
  end)
  vim.wait(WAIT_MS, function()
    return result ~= nil
  end, 20)
  return result
end

vim.cmd('edit ' .. vim.g.file)
vim.api.nvim_win_set_cursor(0, { vim.g.breakpoint, 0 })
dap.toggle_breakpoint()
local chosen = vim.tbl_filter(function(one)
  return one.name == vim.g.configuration
end, dap.configurations[vim.bo.filetype])
for _, step in ipairs(vim.g.steps) do
  local action, line, expression = unpack(step)
  local before = frame()
  if action == 'run' then
    dap.run(chosen[1])
  else
    dap[action]()
  end
  local shown = await_line(line, before)
  local stop = { line = shown.line, name = shown.name, file = shown.source.path, value = evaluate(expression) }
  io.stdout:write(vim.json.encode(stop) .. '\n')
end
dap.terminate()
vim.cmd('qall!')
