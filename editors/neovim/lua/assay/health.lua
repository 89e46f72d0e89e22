--- `:checkhealth assay`: can the server run here, does it, and what to do if not.

local health = vim.health

local M = {}

local PATIENCE = 10000 -- milliseconds

local HELLO = vim.json.encode({
  jsonrpc = '2.0',
  id = 1,
  method = 'initialize',
  params = { processId = vim.NIL, rootUri = vim.NIL, capabilities = vim.empty_dict() },
})

local function check_editor()
  if vim.fn.has('nvim-0.11') == 1 then
    health.ok('Neovim ' .. tostring(vim.version()))
    return true
  end
  health.error('This Neovim is older than 0.11, which the plugin needs.', 'Install Neovim 0.11 or newer.')
  return false
end

--- Run a program to its end; a program that cannot be run gives its reason as standard error.
---@param command string[]
---@param input? string
---@return vim.SystemCompleted
local function run(command, input)
  local started, process = pcall(vim.system, command, { text = true, timeout = PATIENCE, stdin = input })
  if not started then
    return { code = -1, signal = 0, stdout = '', stderr = tostring(process) }
  end
  return process:wait()
end

---@param result vim.SystemCompleted
local function reason(result)
  local said = vim.trim(result.stderr or '')
  return said ~= '' and said or ('it ended with status %d'):format(result.code)
end

---@return string? the program's path, when there is one and it answers
local function check_program(command)
  local program = vim.fn.exepath(command[1])
  if program == '' then
    health.error(('`%s` was not found, so the server cannot start.'):format(command[1]), {
      'Install Assay and start Neovim where `assay --version` works, or',
      "name the program: vim.lsp.config('assay', { cmd = { '/path/to/assay', 'serve' } })",
    })
    return nil
  end
  local answer = run({ program, '--version' })
  if answer.code ~= 0 then
    health.error(('%s does not run: %s'):format(program, reason(answer)), 'Install Assay anew, then run `assay doctor`.')
    return nil
  end
  health.ok(('%s at %s'):format(vim.trim(answer.stdout), program))
  return program
end

--- Start a server of its own, greet it, and hang up: it answers and ends by itself.
local function check_start(program, command)
  local arguments = { program, unpack(command, 2) }
  local answer = run(arguments, ('Content-Length: %d\r\n\r\n%s'):format(#HELLO, HELLO))
  if (answer.stdout or ''):find('"capabilities"', 1, true) then
    health.ok(('`%s` starts and answers.'):format(table.concat(arguments, ' ')))
  else
    health.error(
      ('`%s` does not answer: %s'):format(table.concat(arguments, ' '), reason(answer)),
      'Run it in a shell with --debug, and `assay doctor`.'
    )
  end
end

local function check_command()
  local command = vim.lsp.config.assay.cmd
  if type(command) ~= 'table' then
    health.info('The server is started by a function in your configuration, so it was not tried here.')
    return
  end
  local program = check_program(command)
  if program then
    check_start(program, command)
  end
end

local function check_enabled()
  if vim.lsp.is_enabled and not vim.lsp.is_enabled('assay') then
    health.warn('The server is not enabled, so it starts for no file.', "Add to init.lua: vim.lsp.enable('assay')")
  else
    health.ok('The server is enabled.')
  end
end

---@param client vim.lsp.Client
local function describe(client)
  local names = {}
  for buffer in pairs(client.attached_buffers) do
    names[#names + 1] = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':~:.')
  end
  table.sort(names)
  local root = client.root_dir and vim.fn.fnamemodify(client.root_dir, ':~') or 'no project'
  local files = #names > 0 and table.concat(names, ', ') or 'no file'
  health.ok(('Running for %s, attached to %s.'):format(root, files))
end

local function check_clients()
  local clients = vim.lsp.get_clients({ name = 'assay' })
  vim.tbl_map(describe, clients)
  if #clients == 0 then
    health.info('Not running. It starts when you open a C file (`:set filetype?` says c).')
  end
end

function M.check()
  health.start('assay: requirements')
  if not check_editor() then
    return
  end
  check_command()
  health.start('assay: server')
  check_enabled()
  check_clients()
end

return M
