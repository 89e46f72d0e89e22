--- What the editor's own LSP client does not show: a rule's page, the other places of a finding, and code lenses
--- without being asked.

local M = {}

--- Show the text that the server's command gives (a rule's page, in Markdown) in a floating window.
---@param command lsp.Command
---@param context { client_id: integer, bufnr: integer }
function M.explain(command, context)
  local client = assert(vim.lsp.get_client_by_id(context.client_id))
  local params = { command = command.command, arguments = command.arguments }
  client:request('workspace/executeCommand', params, function(err, page)
    if err then
      vim.notify('assay: ' .. err.message, vim.log.levels.ERROR)
    elseif type(page) == 'string' then
      local lines = vim.split(page, '\n', { trimempty = true })
      vim.lsp.util.open_floating_preview(lines, 'markdown', { focus_id = 'assay.explain', border = 'rounded' })
    end
  end, context.bufnr)
end

---@param diagnostic vim.Diagnostic
---@param uri string the document that the diagnostic belongs to
---@param encoding 'utf-8'|'utf-16'|'utf-32'
---@return vim.quickfix.entry[] the diagnostic's own place first, then the related ones
local function places(diagnostic, uri, encoding)
  local original = diagnostic.user_data.lsp
  local own = vim.lsp.util.locations_to_items({ { uri = uri, range = original.range } }, encoding)[1]
  own.text = original.message
  local items = { own }
  for _, related in ipairs(original.relatedInformation or {}) do
    local item = vim.lsp.util.locations_to_items({ related.location }, encoding)[1]
    item.text = related.message
    items[#items + 1] = item
  end
  return items
end

--- Fill the location list with every place of the findings on the cursor's line, and open it.
function M.related()
  local buffer, line = vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0)[1] - 1
  local uri, items = vim.uri_from_bufnr(buffer), {}
  for _, client in ipairs(vim.lsp.get_clients({ bufnr = buffer, name = 'assay' })) do
    for _, diagnostic in ipairs(vim.diagnostic.get(buffer, { lnum = line })) do
      if diagnostic.source == 'assay' then
        vim.list_extend(items, places(diagnostic, uri, client.offset_encoding))
      end
    end
  end
  if #items == 0 then
    vim.notify('assay: there is no finding on this line; move the cursor to one, for example with ]d.')
    return
  end
  vim.fn.setloclist(0, {}, ' ', { title = 'Assay: the places of this finding', items = items })
  vim.cmd.lopen()
end

--- Show the code lenses of a buffer, and keep them up to date; `races.code-lens = false` leaves none to show.
---@param buffer integer
function M.lenses(buffer)
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = buffer })
    return
  end
  local function refresh()
    vim.lsp.codelens.refresh({ bufnr = buffer })
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged', 'BufWritePost' }, {
    group = vim.api.nvim_create_augroup('assay.lenses.' .. buffer, { clear = true }),
    buffer = buffer,
    desc = 'Refresh the code lenses of Assay',
    callback = refresh,
  })
  refresh()
end

return M
