--- Defines :AssayRelated. The server itself is enabled by the user, with `vim.lsp.enable('assay')`.

if vim.g.loaded_assay then
  return
end
vim.g.loaded_assay = true

vim.api.nvim_create_user_command('AssayRelated', function()
  require('assay').related()
end, { desc = 'List every place of the findings on this line' })
