--- `:checkhealth assay`, with the server running.

local editor = dofile(vim.env.ASSAY_TEST_SCENARIOS .. '/editor.lua')

editor.run(function()
  editor.open('racy.c')
  vim.cmd.checkhealth('assay')
  editor.seen.report = editor.wait('the report', function()
    local lines = editor.lines()
    return vim.bo.filetype == 'checkhealth' and #lines > 5 and lines
  end)
end)
