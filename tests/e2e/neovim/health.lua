--- `:checkhealth assay`, before the server is enabled or with a file open, as the environment says.

local editor = dofile(vim.env.ASSAY_TEST_SCENARIOS .. '/editor.lua')

editor.run(function()
  if vim.env.ASSAY_TEST_CMD then
    vim.lsp.config('assay', { cmd = vim.json.decode(vim.env.ASSAY_TEST_CMD) })
  end
  if vim.env.ASSAY_TEST_OPEN then
    editor.open('racy.c')
  end
  vim.cmd.checkhealth('assay')
  editor.seen.report = editor.wait('the report', function()
    local lines = editor.lines()
    return vim.bo.filetype == 'checkhealth' and #lines > 5 and lines
  end)
end)
