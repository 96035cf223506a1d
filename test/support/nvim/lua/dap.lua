-- A stand-in of the plugin nvim-dap, as far as recipes of the documents and suite.lua use it: starts the adapter of a
-- configuration as a job, sends it the breakpoints, and keeps the frame at which it stops. The real plugin may take its place.

local M = { adapters = {}, configurations = {} }

-- Lines with breakpoints by file.
local breakpoints = {}
local session

function M.session()
  return session
end

function M.toggle_breakpoint()
  local file, line = vim.api.nvim_buf_get_name(0), vim.api.nvim_win_get_cursor(0)[1]
  breakpoints[file] = breakpoints[file] or {}
  breakpoints[file][line] = not breakpoints[file][line] or nil
end

-- Messages of the protocol in what an adapter has written; the rest is left in the second result.
local function messages_in(text)
  local found = {}
  while true do
    local length, content = text:match('^Content%-Length: (%d+)\r\n\r\n()')
    if not length or #text < content + length - 1 then
      return found, text
    end
    table.insert(found, vim.json.decode(text:sub(content, content + length - 1)))
    text = text:sub(content + length)
  end
end

local Session = {}
Session.__index = Session

function Session:request(command, arguments, callback)
  self.sequence = self.sequence + 1
  self.callbacks[self.sequence] = callback or function() end
  local message = { seq = self.sequence, type = 'request', command = command, arguments = arguments }
  local text = vim.json.encode(message)
  vim.fn.chansend(self.job, ('Content-Length: %d\r\n\r\n%s'):format(#text, text))
end

function Session:evaluate(expression, callback)
  local arguments = { expression = expression, context = 'repl', frameId = self.current_frame.id }
  self:request('evaluate', arguments, callback)
end

function Session:event_initialized()
  for file, lines in pairs(breakpoints) do
    local wanted = vim.tbl_map(function(line)
      return { line = line }
    end, vim.tbl_keys(lines))
    self:request('setBreakpoints', { source = { path = file }, breakpoints = wanted })
  end
  local chosen = vim.tbl_filter(function(filter)
    return filter.default
  end, self.capabilities.exceptionBreakpointFilters or {})
  local filters = vim.tbl_map(function(filter)
    return filter.filter
  end, chosen)
  self:request('setExceptionBreakpoints', { filters = #filters == 0 and vim.empty_dict() or filters })
  self:request('configurationDone', vim.empty_dict())
end

function Session:event_stopped(body)
  self.stopped_thread_id = body.threadId
  self:request('stackTrace', { threadId = body.threadId }, function(_, answer)
    self.current_frame = answer.stackFrames[1]
  end)
end

function Session:received(message)
  if message.type == 'event' then
    local handler = self['event_' .. message.event]
    if handler then
      handler(self, message.body)
    end
    return
  end
  local failure
  if not message.success then
    local told = vim.tbl_get(message, 'body', 'error') or { format = message.message }
    failure = { message = told.format:gsub('{(.-)}', told.variables or {}) }
  end
  self.callbacks[message.request_seq](failure, message.body)
end

local function move(command)
  session:request(command, { threadId = session.stopped_thread_id })
end

for name, command in pairs({ continue = 'continue', step_over = 'next', step_into = 'stepIn', step_back = 'stepBack' }) do
  M[name] = function()
    move(command)
  end
end

-- The value of a setting: functions are called, and the folder is filled in.
local function setting(value)
  value = type(value) == 'function' and value() or value
  return type(value) == 'string' and value:gsub('${workspaceFolder}', vim.fn.getcwd()) or value
end

function M.run(configuration)
  local adapter = M.adapters[configuration.type]
  assert(adapter.type == 'executable', 'the stand-in starts programs only')
  local own = setmetatable({ sequence = 0, callbacks = {} }, Session)
  local pending = ''
  own.job = vim.fn.jobstart(vim.list_extend({ adapter.command }, adapter.args), {
    on_stdout = function(_, lines)
      local found
      -- The job API ends lines with \n, and gives what follows the last one as a further line.
      found, pending = messages_in(pending .. table.concat(lines, '\n'))
      for _, message in ipairs(found) do
        own:received(message)
      end
    end,
    on_stderr = function(_, lines)
      io.stderr:write(table.concat(lines, '\n'))
    end,
  })
  assert(own.job > 0, 'the adapter could not be started')
  session = own
  local settings = vim.tbl_map(setting, configuration)
  local client = { adapterID = 'nvim-dap', clientID = 'neovim', linesStartAt1 = true, columnsStartAt1 = true, pathFormat = 'path' }
  own:request('initialize', client, function(_, capabilities)
    own.capabilities = capabilities or {}
    own:request(settings.request, settings, function(failure)
      if failure then
        io.stderr:write(failure.message .. '\n')
      end
    end)
  end)
end

function M.terminate()
  session:request('disconnect', vim.empty_dict())
end

return M
