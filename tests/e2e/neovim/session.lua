--- A session as a person has it: read the finding, look at the evidence, suppress it, close the editor.

local editor = dofile(vim.env.ASSAY_TEST_SCENARIOS .. '/editor.lua')
local seen = editor.seen

local function see_diagnostics()
  seen.diagnostics = vim.tbl_map(function(diagnostic)
    return {
      line = diagnostic.lnum,
      code = diagnostic.code,
      source = diagnostic.source,
      severity = diagnostic.severity,
      message = diagnostic.message,
      related = diagnostic.user_data.lsp.relatedInformation,
    }
  end, editor.diagnostics())
  vim.api.nvim_win_set_cursor(0, { seen.diagnostics[1].line + 1, 0 })
  vim.cmd.normal({ '^', bang = true })
end

local function see_hover()
  vim.lsp.buf.hover()
  local window = editor.wait('the hover window', function()
    for _, candidate in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(candidate).relative ~= '' then
        return candidate
      end
    end
  end)
  seen.hover = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
  vim.api.nvim_win_close(window, true)
end

local function see_lenses()
  seen.lenses = editor.wait('the code lenses', function()
    local found = vim.lsp.codelens.get(0)
    return #found > 0 and vim.tbl_map(function(lens)
      return { line = lens.range.start.line, title = lens.command.title }
    end, found)
  end)
end

local function see_related()
  vim.cmd.AssayRelated()
  seen.places = vim.tbl_map(function(item)
    return { line = item.lnum - 1, text = item.text }
  end, vim.fn.getloclist(0))
  vim.cmd.lclose()
end

local function suppress()
  local offered = {}
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      table.insert(offered, { title = action.title, kind = action.kind, has_edit = action.edit ~= nil })
      return vim.startswith(action.title, 'Suppress')
    end,
  })
  local before = vim.api.nvim_buf_get_changedtick(0)
  editor.wait('the suppression to be written', function()
    return vim.api.nvim_buf_get_changedtick(0) > before
  end)
  seen.offered = offered
  seen.lines = editor.lines()
  editor.wait('the suppressed finding to go away', function()
    return #vim.diagnostic.get(0) == 0
  end)
end

editor.run(function()
  local client = editor.open('racy.c')
  seen.root = client.root_dir
  seen.encoding = client.offset_encoding
  see_diagnostics()
  see_hover()
  see_lenses()
  see_related()
  suppress()
  vim.cmd.write()
  client:stop()
  editor.wait('the server to stop', function()
    return client:is_stopped()
  end)
  seen.stopped = true
end)
