--- Defines :AssayRelated, and shows what guards each shared variable. The server itself is enabled by the user, with `vim.lsp.enable('assay')`.

if vim.g.loaded_assay then
  return
end
vim.g.loaded_assay = true

vim.api.nvim_create_autocmd('LspAttach', {
  desc = 'Show the code lenses of Assay',
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'assay' then
      require('assay').lenses(event.buf)
    end
  end,
})

vim.api.nvim_create_user_command('AssayRelated', function()
  require('assay').related()
end, { desc = 'List every place of the findings on this line' })
