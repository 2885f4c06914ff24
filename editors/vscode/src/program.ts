/** Which jaxlint is run: the one that the settings name, the project's own, or the one on PATH. */

import * as path from "node:path";

/** What the choice depends on, beside the settings. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Whether this is a file that may be run. */
  readonly isProgram: (file: string) => boolean;
}

/** What the user and the workspace say. */
export interface Workspace {
  /** The setting `jaxlint.path`; empty where it is not set. */
  readonly setting: string;
  readonly folders: readonly string[];
  /** The interpreter, or the folder of the environment, that is selected in the Python extension, if it is there. */
  readonly interpreter: string | undefined;
  /** Programs inside the folders are run in trusted workspaces only. */
  readonly trusted: boolean;
}

/** A program, and why it is this one. */
export interface Program {
  readonly file: string;
  readonly because: string;
}

/** Where nothing was found: what was looked at, in order. */
export interface Nowhere {
  readonly looked: readonly string[];
}

/** The names that people give to the environment of a project. */
const ENVIRONMENTS = [".venv", "venv"];

/** The program to run. A setting that names none is a mistake to report, so nothing else is tried then. */
export function chooseProgram(workspace: Workspace, machine: Machine): Program | Nowhere {
  const looked: string[] = [];
  for (const { file, because } of candidates(workspace, machine)) {
    if (machine.isProgram(file)) {
      return { file, because };
    }
    looked.push(`${file} (${because})`);
  }
  return { looked };
}

function* candidates(workspace: Workspace, machine: Machine): Generator<Program> {
  const setting = workspace.setting.trim();
  if (setting) {
    yield { file: expand(setting, workspace.folders[0], machine), because: "the setting jaxlint.path" };
    return;
  }
  const paths = pathsOf(machine);
  const name = machine.platform === "win32" ? "jaxlint.exe" : "jaxlint";
  if (workspace.trusted) {
    const programs = machine.platform === "win32" ? "Scripts" : "bin";
    if (workspace.interpreter !== undefined) {
      const because = "the environment selected in the Python extension";
      yield { file: paths.join(paths.dirname(workspace.interpreter), name), because };
      yield { file: paths.join(workspace.interpreter, programs, name), because };
    }
    for (const folder of workspace.folders) {
      for (const environment of ENVIRONMENTS) {
        yield { file: paths.join(folder, environment, programs, name), because: "the environment of the workspace" };
      }
    }
  }
  for (const folder of searchPath(machine)) {
    yield { file: paths.join(folder, name), because: "PATH" };
  }
}

/** The absolute folders on PATH: a relative one would lead into whatever folder is open. */
function searchPath(machine: Machine): string[] {
  const paths = pathsOf(machine);
  const given = machine.environment["PATH"] ?? machine.environment["Path"] ?? "";
  return given.split(paths.delimiter).filter((folder) => paths.isAbsolute(folder));
}

/** The setting with `~`, `${workspaceFolder}`, `${userHome}` and `${env:NAME}` replaced. */
export function expand(setting: string, folder: string | undefined, machine: Machine): string {
  const values: Record<string, string> = { workspaceFolder: folder ?? "", userHome: machine.home };
  const expanded = setting
    .replace(/^~(?=$|[\\/])/, () => machine.home)
    .replace(/\$\{(workspaceFolder|userHome)\}/g, (_, name: string) => values[name] ?? "")
    .replace(/\$\{env:([^}]+)\}/g, (_, name: string) => machine.environment[name] ?? "");
  const paths = pathsOf(machine);
  return paths.isAbsolute(expanded) || folder === undefined ? expanded : paths.join(folder, expanded);
}

function pathsOf(machine: Machine): path.PlatformPath {
  return machine.platform === "win32" ? path.win32 : path.posix;
}

/** One line for the user where no program was found. */
export function notFound(workspace: Workspace, nowhere: Nowhere): string {
  if (workspace.setting.trim()) {
    return `jaxlint is not at ${nowhere.looked[0]}.`;
  }
  const places = workspace.trusted ? "the environment of this workspace or on PATH" : "PATH (this workspace is not trusted)";
  return `jaxlint is not in ${places}: install it there with its extra \`lsp\`, or set jaxlint.path.`;
}
