--- A file outside any project, with settings that come from the editor.

local editor = dofile(vim.env.ASSAY_TEST_SCENARIOS .. '/editor.lua')

editor.run(function()
  vim.lsp.config('assay', { settings = { assay = { ignore = vim.json.decode(vim.env.ASSAY_TEST_IGNORE) } } })
  local client = editor.open('racy.c')
  editor.seen.root = client.root_dir or vim.NIL
  local params = { textDocument = vim.lsp.util.make_text_document_params() }
  local answer = assert(client:request_sync('textDocument/diagnostic', params, 30000))
  assert(answer.err == nil, vim.inspect(answer.err))
  editor.seen.codes = vim.tbl_map(function(item)
    return item.code
  end, answer.result.items)
end)
