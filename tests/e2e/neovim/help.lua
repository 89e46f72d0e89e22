--- The help file: its tags are made as a plugin manager makes them, and each leads to its place.

local editor = dofile(vim.env.ASSAY_TEST_SCENARIOS .. '/editor.lua')
local folder = vim.env.ASSAY_TEST_DOC

local function text_of_help()
  return table.concat(vim.fn.readfile(folder .. '/doc/assay.txt'), '\n')
end

--- What `:help` shows for a subject: the file and the line of the cursor, or the error.
local function look_up(subject)
  local found, problem = pcall(vim.cmd.help, subject)
  if not found then
    return { error = problem }
  end
  local shown = { file = vim.fs.basename(vim.api.nvim_buf_get_name(0)), line = vim.api.nvim_get_current_line() }
  vim.cmd.helpclose()
  return shown
end

editor.run(function()
  vim.opt.runtimepath:prepend(folder)
  vim.cmd.helptags(folder .. '/doc')
  editor.seen.tags, editor.seen.links = {}, {}
  for tag in text_of_help():gmatch('%*(%S-)%*') do
    editor.seen.tags[tag] = look_up(tag)
  end
  for link in text_of_help():gmatch('|(%S-)|') do
    editor.seen.links[link] = look_up(link)
  end
end)
