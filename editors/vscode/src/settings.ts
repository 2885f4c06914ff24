/** Which of the editor's settings the server is told, and which it is never told. */

/** The settings that mean something to the server; the others say how the extension itself runs it. */
export const SERVER_SETTINGS = [
  "select",
  "ignore",
  "extendSelect",
  "minConfidence",
] as const;

/** The settings that say which server runs, and whether: a change of one of them needs another server. */
export const PROGRAM_SETTINGS = ["enable", "path", "arguments"] as const;

/** What the server is told: the settings that somebody set. The project's own settings hold for the rest. */
export function serverSettings(read: (name: string) => unknown): Record<string, unknown> {
  const told: Record<string, unknown> = {};
  for (const name of SERVER_SETTINGS) {
    const value = read(name);
    if (value !== undefined && value !== null) {
      told[name] = value;
    }
  }
  return told;
}

/** Whether a change of settings needs another server; `affects` tells it of a setting's full name. */
export function changesServer(affects: (name: string) => boolean): boolean {
  return PROGRAM_SETTINGS.some((name) => affects(`jaxlint.${name}`));
}
