// What a person does in VS Code with one file, and what they see: one JSON object, written to $JAXLINT_REPORT.
// Runs as an extension beside the one under test, and goes through the commands that keys and menus are bound to.

const fs = require("node:fs");
const vscode = require("vscode");

const PATIENCE = 1000 * Number(process.env.JAXLINT_PATIENCE ?? "60");
const report = { client: `VS Code ${vscode.version}`, missed: [] };
let editor;

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function wait(what, condition) {
  const end = Date.now() + PATIENCE;
  while (!condition()) {
    if (Date.now() > end) {
      report.missed.push(what);
      return false;
    }
    await pause(20);
  }
  return true;
}

async function waitFor(what, condition) {
  const end = Date.now() + PATIENCE;
  while (!(await condition())) {
    if (Date.now() > end) {
      report.missed.push(what);
      return;
    }
    await pause(100);
  }
}

const uri = () => editor.document.uri;
const text = () => editor.document.getText();

// VS Code counts UTF-16 units from 0; the report has lines and characters from 1.
function character(position) {
  return [...editor.document.lineAt(position.line).text.slice(0, position.character)].length + 1;
}

const codeOf = (diagnostic) => (typeof diagnostic.code === "object" ? diagnostic.code.value : diagnostic.code);

function found() {
  return vscode.languages.getDiagnostics(uri()).sort((a, b) => a.range.start.compareTo(b.range.start));
}

function diagnostics() {
  return found().map((one) => ({
    code: codeOf(one),
    message: one.message,
    evidence: (one.relatedInformation ?? []).map((related) => related.message),
    line: one.range.start.line + 1,
    column: character(one.range.start),
    end_line: one.range.end.line + 1,
    end_column: character(one.range.end),
  }));
}

const codes = () => found().map(codeOf).join(" ");
const has = (code) => found().some((one) => codeOf(one) === code);

function gotoFinding(code) {
  const one = found().find((diagnostic) => codeOf(diagnostic) === code);
  if (one !== undefined) {
    editor.selection = new vscode.Selection(one.range.start, one.range.start);
  }
}

async function hover() {
  const shown = await vscode.commands.executeCommand("vscode.executeHoverProvider", uri(), editor.selection.active);
  return shown.flatMap((one) => one.contents.map((content) => content.value ?? content)).join("\n");
}

async function hints() {
  const all = new vscode.Range(0, 0, editor.document.lineCount, 0);
  const shown = (await vscode.commands.executeCommand("vscode.executeInlayHintProvider", uri(), all)) ?? [];
  return shown.map((one) => [one.position.line + 1, typeof one.label === "string" ? one.label : one.label.map((part) => part.value).join("")]);
}

// Does something, and waits until the text is another one.
async function changing(what, action) {
  const before = editor.document.version;
  await action();
  return wait(what, () => editor.document.version !== before);
}

async function titled(pattern) {
  const actions = await vscode.commands.executeCommand("vscode.executeCodeActionProvider", uri(), editor.selection, "quickfix", 99);
  const action = actions.find((one) => pattern.test(one.title));
  await vscode.workspace.applyEdit(action.edit);
  if (action.command) {
    await vscode.commands.executeCommand(action.command.command, ...(action.command.arguments ?? []));
  }
}

function configure(name, value) {
  return vscode.workspace.getConfiguration("jaxlint").update(name, value, vscode.ConfigurationTarget.Global);
}

async function type(keys) {
  const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
  editor.selection = new vscode.Selection(end, end);
  for (const key of keys) {
    await vscode.commands.executeCommand("type", { text: key });
  }
}

async function scenario() {
  editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(process.env.JAXLINT_FILE));

  await wait("diagnostics", () => found().length > 0);
  report.opened = diagnostics();

  await configure("settings", { ignore: ["random"] });
  await wait("the finding to go that a setting ignores", () => !has("JX201"));
  report.configured = codes();
  await configure("settings", undefined);
  await wait("the finding to come back", () => has("JX201"));

  await configure("inlayHints", true);
  await waitFor("inlay hints", async () => (report.hints = await hints()).length > 0);

  gotoFinding("JX301");
  report.hover = await hover();

  gotoFinding("JX101");
  await changing("a quick fix", () =>
    vscode.commands.executeCommand("editor.action.codeAction", { kind: "quickfix", apply: "first", preferred: true }),
  );
  report.fixed = text();
  await wait("fewer diagnostics", () => !has("JX101"));
  report.after_fix = codes();

  await vscode.commands.executeCommand("undo");
  report.undone = text();
  await wait("diagnostics of the undone text", () => has("JX101"));

  await changing("all fixes", () => vscode.commands.executeCommand("editor.action.fixAll"));
  report.all_fixed = text();
  await wait("diagnostics of the fixed text", () => !has("JX101"));

  gotoFinding("JX201");
  await changing("a comment that ignores", () => titled(/this line/));
  report.ignored = text();
  await wait("the ignored finding to go", () => !has("JX201"));
  report.after_ignoring = codes();

  await type("\n\ndef again(key):\n    return jax.random.normal(key) + jax.random.normal(key)\n");
  await wait("diagnostics of what was typed", () => has("JX201"));
  report.typed = diagnostics();
  await type("if (");
  await wait("diagnostics of half-typed code", () => has("JXE01"));
  report.half_typed = codes();

  await vscode.commands.executeCommand("jaxlint.restart");
  await wait("diagnostics of the next server", () => has("JXE01"));
  await configure("enable", false);
  report.stopped = await wait("the end of the server", () => found().length === 0);
}

exports.activate = () => {
  scenario()
    .catch((error) => {
      report.failure = String(error.stack ?? error);
    })
    .finally(() => fs.writeFileSync(process.env.JAXLINT_REPORT, JSON.stringify(report)));
};
