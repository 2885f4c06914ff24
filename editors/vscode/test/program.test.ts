/** The choice of the program, on made-up machines; no editor takes part. */

import assert from "node:assert/strict";
import * as path from "node:path";
import { describe, test } from "node:test";
import { chooseProgram, expand, notFound, type Machine, type Workspace } from "../src/program";

function machine(programs: readonly string[], more: Partial<Machine> = {}): Machine {
  const environment = { PATH: "/usr/local/bin:/usr/bin" };
  return { platform: "linux", environment, home: "/home/ada", isProgram: (file) => programs.includes(file), ...more };
}

function workspace(more: Partial<Workspace> = {}): Workspace {
  return { setting: "", folders: ["/home/ann/nets"], interpreter: undefined, trusted: true, ...more };
}

const SETTING = "/opt/jaxlint/bin/jaxlint";
const SELECTED = "/envs/gpu/bin/jaxlint";
const OWN = "/home/ann/nets/.venv/bin/jaxlint";
const ON_PATH = "/usr/bin/jaxlint";

function chosen(here: Workspace, programs: readonly string[], more: Partial<Machine> = {}): string | undefined {
  const choice = chooseProgram(here, machine(programs, more));
  return "looked" in choice ? undefined : choice.file;
}

describe("the order of places", () => {
  const all = [SETTING, SELECTED, OWN, ON_PATH];
  const full = workspace({ setting: SETTING, interpreter: "/envs/gpu/bin/python" });

  test("the setting comes first", () => assert.equal(chosen(full, all), SETTING));
  test("then the selected environment", () => assert.equal(chosen({ ...full, setting: "" }, all), SELECTED));
  test("then the workspace's", () => assert.equal(chosen(workspace(), all), OWN));
  test("then PATH", () => assert.equal(chosen(workspace(), [ON_PATH]), ON_PATH));
  test("each says why it was taken", () => {
    const choice = chooseProgram(workspace(), machine(all));
    assert.ok(!("looked" in choice));
    assert.equal(choice.because, "the environment of the workspace");
  });
});

test("a setting that names no program is not passed over", () => {
  assert.equal(chosen(workspace({ setting: "/nowhere/jaxlint" }), [OWN, ON_PATH]), undefined);
});

test("a setting of blanks is no setting", () => assert.equal(chosen(workspace({ setting: "  " }), [OWN]), OWN));

test("the selected environment may be given by its folder", () => {
  assert.equal(chosen(workspace({ interpreter: "/envs/gpu" }), [SELECTED, ON_PATH]), SELECTED);
});

test("an environment called venv, and one of the second folder, are found", () => {
  const folders = ["/home/ann/nets", "/home/ann/more"];
  assert.equal(chosen(workspace({ folders }), ["/home/ann/more/venv/bin/jaxlint", ON_PATH]), "/home/ann/more/venv/bin/jaxlint");
});

test("where the workspace is not trusted, nothing inside it is run", () => {
  const here = workspace({ trusted: false, interpreter: "/home/ann/nets/.venv/bin/python" });
  assert.equal(chosen(here, [OWN, ON_PATH]), ON_PATH);
  assert.equal(chosen(here, [OWN]), undefined);
});

test("folders of PATH that depend on the open folder are left out", () => {
  const environment = { PATH: ".:bin::/usr/bin" };
  const isProgram = (file: string): boolean => !path.isAbsolute(file) || file === ON_PATH;
  assert.equal(chosen(workspace(), [], { environment, isProgram }), ON_PATH);
});

test("without PATH and without a folder there is nothing", () => {
  const choice = chooseProgram(workspace({ folders: [] }), machine([], { environment: {} }));
  assert.deepEqual(choice, { looked: [] });
});

test("on Windows programs are called and kept otherwise", () => {
  const program = "c:\\nets\\.venv\\Scripts\\jaxlint.exe";
  const here = workspace({ folders: ["c:\\nets"] });
  assert.equal(chosen(here, [program], { platform: "win32", environment: {} }), program);
  const path = "c:\\tools\\jaxlint.exe";
  assert.equal(chosen(here, [path], { platform: "win32", environment: { Path: "c:\\tools;d:relative" } }), path);
});

describe("variables in the setting", () => {
  const cases: readonly [string, string][] = [
    ["~/bin/jaxlint", "/home/ada/bin/jaxlint"],
    ["${userHome}/bin/jaxlint", "/home/ada/bin/jaxlint"],
    ["${workspaceFolder}/env/bin/jaxlint", "/home/ann/nets/env/bin/jaxlint"],
    ["env/bin/jaxlint", "/home/ann/nets/env/bin/jaxlint"],
    ["${env:TOOLS}/jaxlint", "/tools/jaxlint"],
    ["/a~b/jaxlint", "/a~b/jaxlint"],
    ["${env:HARMLESS}", "/$&/${userHome}"],
  ];
  for (const [setting, file] of cases) {
    test(setting, () => {
      const environment = { TOOLS: "/tools", HARMLESS: "/$&/${userHome}" };
      assert.equal(expand(setting, "/home/ann/nets", machine([], { environment })), file);
    });
  }
});

describe("the message where there is none", () => {
  const told = (here: Workspace): string => {
    const choice = chooseProgram(here, machine([]));
    assert.ok("looked" in choice);
    return notFound(here, choice);
  };
  test("names the setting's file", () => {
    assert.equal(told(workspace({ setting: "/x/jaxlint" })), "jaxlint is not at /x/jaxlint (the setting jaxlint.path).");
  });
  test("says where else it looked", () => assert.match(told(workspace()), /environment of this workspace or on PATH/));
  test("says that trust is missing", () => assert.match(told(workspace({ trusted: false })), /not trusted/));
});
