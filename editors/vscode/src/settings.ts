/** Which of the editor's settings the server is told, and which say how it is run. */

/** The settings that mean something to the server, by the names that it knows them by. */
export const SERVER_SETTINGS = ["settings", "inlayHints", "shapeHints", "codeLens", "workspaceDiagnostics", "python", "verifyTimeout"] as const;

/** The settings that say which server runs, and whether: a change of one of them needs another server. */
export const PROGRAM_SETTINGS = ["enable", "path", "arguments"] as const;

/** What the server is told: the settings that are not empty. `interpreter` verifies where none is set. */
export function serverSettings(read: (name: string) => unknown, interpreter?: string): Record<string, unknown> {
  const told: Record<string, unknown> = {};
  for (const name of SERVER_SETTINGS) {
    const value = read(name);
    if (value !== undefined && value !== null && value !== "") {
      told[name] = value;
    }
  }
  if (told["python"] === undefined && interpreter !== undefined) {
    told["python"] = interpreter;
  }
  return told;
}

/** Whether a change of settings needs another server; `affects` tells it of a setting's full name. */
export function changesServer(affects: (name: string) => boolean): boolean {
  return PROGRAM_SETTINGS.some((name) => affects(`jaxlint.${name}`));
}
