--- `:checkhealth assay`: can the server run here, and does it?

local M = {}

local function check_version()
  if vim.fn.has('nvim-0.11') == 1 then
    vim.health.ok('Neovim ' .. tostring(vim.version()))
  else
    vim.health.error('This Neovim is older than 0.11, which the plugin needs.', 'Install Neovim 0.11 or newer.')
  end
end

local function check_executable()
  local command = vim.lsp.config.assay.cmd
  if type(command) ~= 'table' then
    vim.health.info('The server is started by a function in the configuration.')
    return
  end
  local program = vim.fn.exepath(command[1])
  if program == '' then
    vim.health.error(
      ('`%s` was not found on the PATH, so the server cannot start.'):format(command[1]),
      "Install Assay, or name its program: vim.lsp.config('assay', { cmd = { '/path/to/assay', 'serve' } })"
    )
    return
  end
  local answer = vim.system({ program, '--version' }, { text = true, timeout = 10000 }):wait()
  if answer.code == 0 then
    vim.health.ok(vim.trim(answer.stdout) .. ' at ' .. program)
  else
    vim.health.error(program .. ' does not run: ' .. vim.trim(answer.stderr), 'Run `assay doctor` in a shell.')
  end
end

local function check_clients()
  local clients = vim.lsp.get_clients({ name = 'assay' })
  if #clients > 0 then
    vim.health.ok(#clients .. ' running')
  else
    vim.health.info("Not running. It starts with a C file, once init.lua says vim.lsp.enable('assay').")
  end
end

function M.check()
  vim.health.start('assay: requirements')
  check_version()
  check_executable()
  vim.health.start('assay: server')
  check_clients()
end

return M
