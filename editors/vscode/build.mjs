/** Builds out/extension.js, one file, and out/NOTICES.txt, the licences of the packages that went into it. */

import * as fs from "node:fs";
import * as path from "node:path";
import * as esbuild from "esbuild";

const { metafile } = await esbuild.build({
  entryPoints: ["src/extension.ts"],
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  minify: true,
  metafile: true,
  outfile: "out/extension.js",
});

const packages = new Set(Object.keys(metafile.inputs).flatMap((file) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []));
const notices = [...packages].sort().map((folder) => {
  const { name, version } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const licence = fs.readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (licence === undefined) {
    throw new Error(`${name} has no licence file: its terms cannot be passed on`);
  }
  return `${name} ${version}\n\n${fs.readFileSync(path.join(folder, licence), "utf8").trim()}\n`;
});
fs.writeFileSync("out/NOTICES.txt", notices.join(`\n${"-".repeat(80)}\n\n`));
