-- What a person does in Neovim with one file, and what they see: one JSON object, written to $JAXLINT_REPORT.
-- Runs on the built-in client of Neovim 0.7 and later, through the calls that keys are mapped to.

local PATIENCE = tonumber(vim.env.JAXLINT_PATIENCE or "60") * 1000 -- milliseconds that a slow machine may take for one answer
local report = { client = vim.split(vim.fn.execute('version'), '\n', { trimempty = true })[1], missed = {} }

local function wait(what, condition)
  local done = vim.wait(PATIENCE, condition, 20)
  if not done then table.insert(report.missed, what) end
  return done
end

local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') .. '\n' end

-- Columns of vim.diagnostic are bytes from 0; the report has lines and characters from 1.
local function character(line, byte)
  local content = vim.api.nvim_buf_get_lines(0, line, line + 1, false)[1] or ''
  return vim.fn.strchars(content:sub(1, byte)) + 1
end

local function evidence(lsp)
  local told = {}
  for _, related in ipairs(lsp.relatedInformation or {}) do table.insert(told, related.message) end
  return told
end

local function diagnostics()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(0)) do
    local lsp = one.user_data and one.user_data.lsp or {}
    table.insert(found, {
      code = one.code or lsp.code, message = one.message, evidence = evidence(lsp),
      line = one.lnum + 1, column = character(one.lnum, one.col),
      end_line = one.end_lnum + 1, end_column = character(one.end_lnum, one.end_col),
    })
  end
  table.sort(found, function(a, b) return a.line < b.line or a.line == b.line and a.column < b.column end)
  return found
end

-- Findings in files that no window shows.
local function closed()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get()) do
    if one.bufnr ~= vim.api.nvim_get_current_buf() then
      local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(one.bufnr), ':t')
      table.insert(found, { name, one.lnum + 1, one.message })
    end
  end
  return found
end

local function codes()
  local found = {}
  for _, one in ipairs(diagnostics()) do table.insert(found, one.code) end
  return table.concat(found, ' ')
end

local function has(code) return codes():find(code, 1, true) ~= nil end

local function goto_finding(code)
  for _, one in ipairs(vim.diagnostic.get(0)) do
    local lsp = one.user_data and one.user_data.lsp or {}
    if (one.code or lsp.code) == code then vim.api.nvim_win_set_cursor(0, { one.lnum + 1, one.col }) end
  end
end

local function floating_window()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then return window end
  end
end

local function hover()
  vim.lsp.buf.hover()
  if not wait('hover', function() return floating_window() ~= nil end) then return nil end
  local window = floating_window()
  local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
  vim.api.nvim_win_close(window, true)
  return table.concat(lines, '\n')
end

-- Opens the menu of actions and takes the first whose title has this pattern; returns all titles once it is `done`.
local function act(kind, pattern, done)
  local titles, before = {}, vim.api.nvim_buf_get_changedtick(0)
  local chosen = false
  done = done or function() return vim.api.nvim_buf_get_changedtick(0) ~= before end
  local choose = function(items, options, on_choice)
    local choice = nil
    for number, item in ipairs(items) do
      local title = options.format_item and options.format_item(item) or tostring(item)
      table.insert(titles, title)
      if choice == nil and title:find(pattern) then choice = number end
    end
    chosen = true
    on_choice(choice and items[choice] or nil, choice)
  end
  local select = vim.ui.select
  vim.ui.select = choose
  vim.lsp.buf.code_action({ context = { only = { kind } }, only = { kind } })  -- Neovim 0.7 takes the context alone
  local changed = wait('action ' .. kind .. ' ' .. pattern, done)
  vim.ui.select = select
  return { titles = titles, asked = chosen, changed = changed }
end

-- Verifies the function at the cursor; the person is asked, says yes, and is told how it went.
local function verify()
  local asked, told
  vim.lsp.handlers['window/showMessageRequest'] = function(_, params)
    asked = params.message
    return params.actions[1]
  end
  vim.lsp.handlers['window/showMessage'] = function(_, params) told = params.message end
  act('quickfix', '^Verify', function() return told ~= nil end)
  return { asked = asked, told = told }
end

-- What is shown behind assigned names. Neovim before 0.10 draws no hints: it is asked for what it would draw.
local function shapes(client)
  client.config.settings = { jaxlint = { shapeHints = true } }
  client.notify('workspace/didChangeConfiguration', { settings = client.config.settings })
  local whole = { start = { line = 0, character = 0 }, ['end'] = { line = vim.fn.line('$'), character = 0 } }
  local params = { textDocument = vim.lsp.util.make_text_document_params(), range = whole }
  local found = {}
  wait('hints', function()
    for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/inlayHint', params, PATIENCE) or {}) do
      for _, hint in ipairs(type(answer.result) == 'table' and answer.result or {}) do
        table.insert(found, { hint.position.line + 1, hint.label })
      end
    end
    return #found > 0
  end)
  client.config.settings = vim.empty_dict()
  client.notify('workspace/didChangeConfiguration', { settings = client.config.settings })
  return found
end

local function shape_hover()
  vim.fn.search('^grid')
  return hover()
end

-- Neovim tells that settings changed, and hands them over when it is asked.
local function configure(client, settings)
  client.config.settings = { jaxlint = { settings = settings } }
  client.notify('workspace/didChangeConfiguration', { settings = client.config.settings })
end

local function scenario()
  local clients = vim.lsp.get_clients or vim.lsp.get_active_clients
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.JAXLINT_FILE))
  local configuration = {
    name = 'jaxlint', cmd = vim.fn.json_decode(vim.env.JAXLINT_COMMAND), root_dir = vim.env.JAXLINT_ROOT,
  }
  if vim.lsp.start then
    vim.lsp.start(configuration)
  else
    vim.lsp.buf_attach_client(0, vim.lsp.start_client(configuration))
  end

  wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
  report.opened = diagnostics()

  wait('diagnostics of the file that is not open', function() return #closed() > 0 end)
  report.closed = closed()

  local client = clients({ name = 'jaxlint' })[1] or clients()[1]
  configure(client, { ignore = { 'random' } })
  wait('the finding to go that a setting ignores', function() return not has('JX201') end)
  report.configured = codes()
  configure(client, vim.empty_dict())
  wait('the finding to come back', function() return has('JX201') end)

  report.shape_hover = shape_hover()
  report.shapes = shapes(client)
  goto_finding('JX301')
  report.hover = hover()
  if vim.env.JAXLINT_HAS_JAX ~= '' then report.verified = verify() end

  goto_finding('JX101')
  report.fix = act('quickfix', 'at%[')
  report.fixed = text()
  wait('fewer diagnostics', function() return not has('JX101') end)
  report.after_fix = codes()

  -- Back to the text as it was, by undo, as a person would.
  vim.cmd('undo')
  report.undone = text()
  wait('diagnostics of the undone text', function() return has('JX101') end)

  report.fix_all = act('source.fixAll', '')
  report.all_fixed = text()
  wait('diagnostics of the fixed text', function() return not has('JX101') end)

  goto_finding('JX201')
  report.ignore = act('quickfix', 'this line')
  report.ignored = text()
  wait('the ignored finding to go', function() return not has('JX201') end)
  report.after_ignoring = codes()

  vim.bo.autoindent = false
  -- Type a new mistake, key by key, and half of a statement that does not parse.
  vim.api.nvim_feedkeys('Godef again(key):\r    return jax.random.normal(key) + jax.random.normal(key)', 'tx', false)
  wait('diagnostics of what was typed', function() return has('JX201') end)
  report.typed = diagnostics()
  vim.api.nvim_feedkeys('Goif (', 'tx', false)
  wait('diagnostics of half-typed code', function() return has('JXE01') end)
  report.half_typed = codes()

  vim.lsp.stop_client(client.id)
  report.stopped = wait('the end of the server', function()
    return client.is_stopped() and #vim.lsp.get_active_clients() == 0
  end)
end

local succeeded, failure = pcall(scenario)
if not succeeded then report.failure = tostring(failure) end
local file = io.open(vim.env.JAXLINT_REPORT, 'w')
file:write(vim.fn.json_encode(report))
file:close()
vim.cmd('qall!')
