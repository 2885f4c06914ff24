/** The extension as VS Code knows it: one client of one server, its commands, and where it says how it is. */

import * as fs from "node:fs";
import * as os from "node:os";
import * as vscode from "vscode";
import { LanguageClient, State, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { changesServer, serverSettings } from "./settings";
import { chooseProgram, notFound, type Machine, type Program, type Workspace } from "./program";
import { VERIFY_COMMAND, verifyAction } from "./verify";

const SECTION = "jaxlint";
const PYTHON_EXTENSION = "ms-python.python";
const NOTEBOOKS = ["jupyter-notebook", "interactive"];

/** The part of the Python extension that is used here. */
interface PythonExtension {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

let running: Running | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  running = new Running(context);
  await running.begin();
}

export async function deactivate(): Promise<void> {
  await running?.stop();
}

/** The client, while there is one. Starts and stops follow one another: none begins before the last has ended. */
class Running {
  private readonly output = vscode.window.createOutputChannel(SECTION, { log: true });
  private readonly status = vscode.languages.createLanguageStatusItem(SECTION, { language: "python" });
  private client: LanguageClient | undefined;
  private turn: Promise<void> = Promise.resolve();

  constructor(private readonly context: vscode.ExtensionContext) {
    this.status.name = SECTION;
    this.status.command = { command: "jaxlint.showOutput", title: "Show the output" };
  }

  async begin(): Promise<void> {
    this.context.subscriptions.push(
      this.output,
      this.status,
      vscode.commands.registerCommand("jaxlint.restart", () => this.restart()),
      vscode.commands.registerCommand("jaxlint.showOutput", () => this.output.show()),
      vscode.commands.registerCommand("jaxlint.verifyHere", () => this.verify()),
      vscode.workspace.onDidChangeConfiguration(async (event) => {
        if (changesServer((name) => event.affectsConfiguration(name))) {
          await this.restart();
        }
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.restart()),
    );
    const python = await pythonExtension();
    if (python !== undefined) {
      this.context.subscriptions.push(python.environments.onDidChangeActiveEnvironmentPath(() => this.restart()));
    }
    await this.restart();
  }

  async restart(): Promise<void> {
    this.turn = this.turn.then(async () => {
      await this.end();
      await this.start();
    });
    await this.turn;
  }

  async stop(): Promise<void> {
    this.turn = this.turn.then(() => this.end());
    await this.turn;
  }

  private async start(): Promise<void> {
    if (!vscode.workspace.getConfiguration(SECTION).get<boolean>("enable", true)) {
      this.show("off: the setting jaxlint.enable", vscode.LanguageStatusSeverity.Information);
      return;
    }
    const workspace = await workspaceNow();
    const choice = chooseProgram(workspace, machineNow());
    if ("looked" in choice) {
      await this.fail(notFound(workspace, choice), choice.looked);
      return;
    }
    this.output.info(`${choice.file} server, from ${choice.because}`);
    const client = this.makeClient(choice, workspace);
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      await this.fail(`The server ${choice.file} does not start.`, [String(error)]);
    }
  }

  private makeClient(program: Program, workspace: Workspace): LanguageClient {
    const extra = vscode.workspace.getConfiguration(SECTION).get<string[]>("arguments", []);
    const server: ServerOptions = { command: program.file, args: ["server", ...extra] };
    const client = new LanguageClient(SECTION, SECTION, server, this.clientOptions(workspace));
    client.onDidChangeState(({ newState }) => {
      const words = { [State.Starting]: "starting", [State.Running]: "running", [State.Stopped]: "stopped" };
      const name = words[newState as State.Starting | State.Running | State.Stopped] ?? "";
      this.show(`${name}, from ${program.because}`, vscode.LanguageStatusSeverity.Information, newState === State.Starting);
    });
    return client;
  }

  private clientOptions(workspace: Workspace): LanguageClientOptions {
    const settings = (): Record<string, unknown> => settingsNow(workspace.interpreter);
    return {
      documentSelector: [
        { language: "python", scheme: "file" },
        { language: "python", scheme: "untitled" },
        ...NOTEBOOKS.map((notebookType) => ({ language: "python", notebook: notebookType })),
      ],
      initializationOptions: settings(),
      outputChannel: this.output,
      synchronize: { configurationSection: SECTION },
      middleware: {
        executeCommand: async (command, given, next) => {
          if (command === VERIFY_COMMAND && !vscode.workspace.isTrusted) {
            await vscode.window.showWarningMessage("jaxlint: verifying runs code of this workspace, which is not trusted.");
            return undefined;
          }
          return next(command, given);
        },
        workspace: {
          configuration: (params) => params.items.map((item) => (item.section === SECTION ? settings() : null)),
        },
      },
    };
  }

  /** The server's own action at the cursor; it asks before it runs anything. */
  private async verify(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || editor.document.languageId !== "python") {
      await vscode.window.showInformationMessage("jaxlint: put the cursor into a function of a Python file first.");
      return;
    }
    const actions = await vscode.commands.executeCommand<(vscode.CodeAction | vscode.Command)[]>(
      "vscode.executeCodeActionProvider",
      editor.document.uri,
      editor.selection,
    );
    const command = verifyAction(actions);
    if (command === undefined) {
      await vscode.window.showInformationMessage("jaxlint: there is no function here that can be verified.");
      return;
    }
    await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.isRunning()) {
      await client.stop();
    }
    await client?.dispose();
  }

  private async fail(message: string, details: readonly string[]): Promise<void> {
    this.show(message, vscode.LanguageStatusSeverity.Error);
    this.output.error([message, ...details].join("\n  "));
    const answer = "Show the output";
    void vscode.window.showErrorMessage(`jaxlint: ${message}`, answer).then((given) => {
      if (given === answer) {
        this.output.show();
      }
    });
  }

  private show(text: string, severity: vscode.LanguageStatusSeverity, busy = false): void {
    this.status.text = `jaxlint: ${text}`;
    this.status.severity = severity;
    this.status.busy = busy;
  }
}

function settingsNow(interpreter: string | undefined): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration(SECTION);
  return serverSettings((name) => configuration.get(name), interpreter !== undefined && isProgram(interpreter) ? interpreter : undefined);
}

async function workspaceNow(): Promise<Workspace> {
  const python = await pythonExtension();
  const folders = vscode.workspace.workspaceFolders ?? [];
  return {
    setting: vscode.workspace.getConfiguration(SECTION).get<string>("path", ""),
    folders: folders.map((folder) => folder.uri.fsPath),
    interpreter: python?.environments.getActiveEnvironmentPath(folders[0]?.uri).path,
    trusted: vscode.workspace.isTrusted,
  };
}

function machineNow(): Machine {
  return { platform: process.platform, environment: process.env, home: os.homedir(), isProgram };
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The Python extension, where it is installed and works. */
async function pythonExtension(): Promise<PythonExtension | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>(PYTHON_EXTENSION);
  try {
    return await extension?.activate();
  } catch {
    return undefined;
  }
}
