/** Which of the actions at the cursor verifies a function, by running it. */

/** The command that the server gives its "verify" action. */
export const VERIFY_COMMAND = "jaxlint.verify";

/** A command as VS Code hands it to extensions. */
export interface Command {
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

/** An action, which may carry a command; a bare command counts as one too. */
export type Action = Command | { readonly command?: Command };

/** The command of the first action that verifies something. */
export function verifyAction(actions: readonly Action[] | undefined): Command | undefined {
  return (actions ?? []).map(commandOf).find((command) => command?.command === VERIFY_COMMAND);
}

function commandOf(action: Action): Command | undefined {
  return typeof action.command === "string" ? (action as Command) : action.command;
}
