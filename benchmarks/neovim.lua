-- Types a statement letter by letter at the lines of $JAXLINT_LINES, and times each letter until Neovim has the
-- diagnostics of the text with that letter. Writes milliseconds, one a line, to $JAXLINT_REPORT.

local TYPED = 'total = jnp.sum(key, axis=0)'
local PATIENCE = 60000
local now = function() return vim.loop.hrtime() / 1e6 end
local published = -1 -- the newest version that diagnostics came for
local times = {}

local handler = vim.lsp.handlers['textDocument/publishDiagnostics']
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(problem, result, ...)
  handler(problem, result, ...)
  if result.version then published = math.max(published, result.version) end
end

local function await(version)
  if not vim.wait(PATIENCE, function() return published >= version end, 1) then error('no diagnostics of version ' .. version) end
end

local function change(...)
  vim.api.nvim_buf_set_text(0, ...)
  await(vim.api.nvim_buf_get_changedtick(0))
end

local function measure()
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.JAXLINT_FILE))
  local started = now()
  vim.lsp.buf_attach_client(0, vim.lsp.start_client({
    name = 'jaxlint', cmd = vim.fn.json_decode(vim.env.JAXLINT_COMMAND), root_dir = vim.fn.getcwd(),
    flags = { debounce_text_changes = tonumber(vim.env.JAXLINT_DEBOUNCE) },
  }))
  await(0) -- Neovim 0.7 calls the opened text version 0, whatever it calls the next
  table.insert(times, now() - started)
  vim.wait(1000)
  for _, place in ipairs(vim.fn.json_decode(vim.env.JAXLINT_LINES)) do
    local line, indentation = place[1], place[2]
    change(line, 0, line, 0, { indentation, '' })
    for column = 1, #TYPED do
      vim.wait(80)
      local letter, at = TYPED:sub(column, column), #indentation + column - 1
      local begun = now()
      change(line, at, line, at, { letter })
      table.insert(times, now() - begun)
    end
    change(line, 0, line + 1, 0, {})
    vim.wait(1000)
  end
end

local succeeded, failure = pcall(measure)
local file = io.open(vim.env.JAXLINT_REPORT, 'w')
file:write(succeeded and table.concat(times, '\n') or tostring(failure))
file:close()
vim.cmd('qall!')
