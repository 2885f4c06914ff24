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
  test("is what somebody set", () => {
    const values: Record<string, unknown> = { select: ["random"], ignore: null, path: "/x/jaxlint" };
    assert.deepEqual(serverSettings((name) => values[name]), { select: ["random"] });
  });
  test("is nothing where nothing is set", () => assert.deepEqual(serverSettings(() => null), {}));
  test("keeps false and empty lists, which are set too", () => {
    const [first, second] = SERVER_SETTINGS;
    const values: Record<string, unknown> = { [first]: [], [second]: false };
    assert.deepEqual(serverSettings((name) => values[name]), values);
  });
});

test("another program needs another server, another rule does not", () => {
  assert.ok(changesServer((name) => name === "jaxlint.path"));
  assert.ok(!changesServer((name) => name === "jaxlint.select"));
});

describe("the manifest", () => {
  test("declares each setting that the code reads, and no other", () => {
    const read = [...PROGRAM_SETTINGS, ...SERVER_SETTINGS, "trace.server"].map((name) => `jaxlint.${name}`);
    assert.deepEqual(Object.keys(declared).sort(), read.sort());
  });
  test("leaves the server's settings unset, so that the project's hold", () => {
    for (const name of SERVER_SETTINGS) {
      assert.equal(declared[`jaxlint.${name}`]?.default, null, name);
    }
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
    const restricted = PROGRAM_SETTINGS.filter((name) => name !== "enable").map((name) => `jaxlint.${name}`);
    assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, restricted);
  });
  test("has each command that the code registers, and no other", () => {
    const code = fs.readFileSync("src/extension.ts", "utf8");
    const registered = [...code.matchAll(/registerCommand\("([^"]+)"/g)].map((match) => match[1]);
    assert.deepEqual(manifest.contributes.commands.map((command) => command.command).sort(), registered.sort());
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
