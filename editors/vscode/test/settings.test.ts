/** What the server is told, and that the manifest and the code speak of the same settings and commands. */

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "node:test";
import { PROGRAM_SETTINGS, SERVER_SETTINGS, changesServer, serverSettings } from "../src/settings";
import { VERIFY_COMMAND, verifyAction } from "../src/verify";

/** The part of the manifest that is compared. */
interface Manifest {
  readonly activationEvents: readonly string[];
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly configuration: { readonly properties: Record<string, Setting> };
  };
}

/** A setting as the manifest declares it. */
interface Setting {
  readonly type: string | readonly string[];
  readonly default: unknown;
  readonly markdownDescription?: string;
  readonly scope: string;
}

const manifest = JSON.parse(fs.readFileSync("package.json", "utf8")) as Manifest;
const declared = manifest.contributes.configuration.properties;

describe("what the server is told", () => {
  const told = (values: Record<string, unknown>, interpreter?: string): unknown =>
    serverSettings((name) => values[name], interpreter);

  test("is what is set, and none of what says how it runs", () => {
    const settings = { select: ["random"] };
    assert.deepEqual(told({ settings, python: "", codeLens: null, path: "/x/jaxlint" }), { settings });
  });
  test("keeps false, which is set too", () => assert.deepEqual(told({ codeLens: false }), { codeLens: false }));
  test("has the selected interpreter where none is set", () => {
    assert.deepEqual(told({ python: "" }, "/envs/gpu/bin/python"), { python: "/envs/gpu/bin/python" });
    assert.deepEqual(told({ python: "/mine" }, "/envs/gpu/bin/python"), { python: "/mine" });
  });
});

test("another program needs another server, another rule does not", () => {
  assert.ok(changesServer((name) => name === "jaxlint.path"));
  assert.ok(!changesServer((name) => name === "jaxlint.codeLens"));
});

describe("the manifest", () => {
  test("declares each setting that the code reads, and no other", () => {
    const read = [...PROGRAM_SETTINGS, ...SERVER_SETTINGS, "trace.server"].map((name) => `jaxlint.${name}`);
    assert.deepEqual(Object.keys(declared).sort(), read.sort());
  });
  test("describes each setting", () => {
    for (const [name, setting] of Object.entries(declared)) {
      assert.match(setting.markdownDescription ?? "", /\.$/, name);
    }
  });
  test("is told by the README word for word", () => {
    const readme = fs.readFileSync("README.md", "utf8");
    for (const [name, setting] of Object.entries(declared)) {
      assert.ok(readme.includes(`| \`${name}\` |`) && readme.includes(`| ${setting.markdownDescription} |`), name);
    }
  });
  test("restricts whatever says which program runs", () => {
    const restricted = ["jaxlint.path", "jaxlint.arguments", "jaxlint.python"];
    assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, restricted);
    const machine = Object.entries(declared).filter(([, setting]) => setting.scope === "machine-overridable");
    assert.deepEqual(machine.map(([name]) => name), restricted);
  });
  test("has each command that the code registers, and no other", () => {
    const code = fs.readFileSync("src/extension.ts", "utf8");
    const registered = [...code.matchAll(/registerCommand\("([^"]+)"/g)].map((match) => match[1]);
    assert.deepEqual(manifest.contributes.commands.map((command) => command.command).sort(), registered.sort());
    assert.ok(!registered.includes(VERIFY_COMMAND), "the client registers the server's commands itself");
  });
});

describe("the action that verifies", () => {
  const verify = { command: VERIFY_COMMAND, arguments: ["file:///a.py", 3] };
  test("is found among others", () => {
    assert.equal(verifyAction([{}, { command: { command: "other" } }, { command: verify }]), verify);
  });
  test("may be a bare command", () => assert.equal(verifyAction([verify]), verify));
  test("may be missing", () => {
    assert.equal(verifyAction([{ command: { command: "other" } }]), undefined);
    assert.equal(verifyAction(undefined), undefined);
  });
});
