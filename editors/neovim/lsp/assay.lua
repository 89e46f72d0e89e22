--- The language server's configuration, which `vim.lsp.enable('assay')` reads.
---
--- Override any part of it with `vim.lsp.config('assay', { ... })`; see `:help assay`.

---@type vim.lsp.Config
return {
  cmd = { 'assay', 'serve' },
  filetypes = { 'c' },
  -- Without any of these the file is checked on its own.
  root_markers = { 'assay.toml', 'pyproject.toml', 'compile_commands.json', '.git' },
  -- The server asks for the section `assay`; the keys are those of assay.toml.
  settings = { assay = vim.empty_dict() },
  -- The plugin shows a rule's page itself, so the server need not open a browser.
  capabilities = { experimental = { assay = { showsPages = true } } },
  commands = {
    ['assay.explain'] = function(command, context)
      require('assay').explain(command, context)
    end,
  },
}
