--- The rule's page, opened from the finding.

local editor = dofile(vim.env.ASSAY_TEST_SCENARIOS .. '/editor.lua')

editor.run(function()
  editor.open('racy.c')
  vim.api.nvim_win_set_cursor(0, { editor.diagnostics()[1].lnum + 1, 0 })
  vim.cmd.normal({ '^', bang = true })
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return vim.startswith(action.title, 'Explain')
    end,
  })
  local window = editor.wait('the page', function()
    for _, candidate in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(candidate).relative ~= '' then
        return candidate
      end
    end
  end)
  editor.seen.page = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
end)
