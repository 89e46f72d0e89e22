--- What every scenario does: open a file, wait for the server, write down what was seen.

local M = { seen = {} }

local PATIENCE = 30000

--- Wait for `condition` to give something, and give it back; fail with the name of what never came.
function M.wait(what, condition)
  local value
  local came = vim.wait(PATIENCE, function()
    value = condition()
    return value and true or false
  end, 20)
  if not came then
    error('waited in vain for ' .. what)
  end
  return value
end

--- Open a file and wait until the server is attached to it.
function M.open(path)
  vim.lsp.enable('assay')
  vim.cmd.edit(vim.fn.fnameescape(path))
  local client = M.wait('the server to attach', function()
    return vim.lsp.get_clients({ bufnr = 0, name = 'assay' })[1]
  end)
  M.wait('the server to be initialized', function()
    return client.initialized
  end)
  return client
end

--- Wait for diagnostics in the current buffer.
function M.diagnostics()
  return M.wait('diagnostics', function()
    local found = vim.diagnostic.get(0)
    return #found > 0 and found
  end)
end

function M.lines()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

--- Run a scenario and write what it saw, and how it failed if it did, as JSON.
function M.run(scenario)
  local done, problem = xpcall(scenario, debug.traceback)
  if not done then
    M.seen.problem = problem
  end
  M.seen.messages = vim.api.nvim_exec2('messages', { output = true }).output
  vim.fn.writefile({ vim.json.encode(M.seen) }, vim.env.ASSAY_TEST_SEEN)
end

return M
