import { CommandFailure } from "../../command-failure";
import type { Environment } from "../../../process/user-folders";
import { printable } from "../../../text/terminal-text";

/** A value, and the flag or variable from which it comes. */
interface ValueWithSource {
  readonly value: string;
  readonly source: string;
}

/**
 * The value of a flag or, without one, of a variable. Throws CommandFailure with the question if the value does not have the right
 * form.
 */
export function valueWithSource(
  [flag, value]: readonly [flag: string, value: string | undefined],
  variable: string,
  environment: Environment,
  { form, question }: { readonly form: RegExp; readonly question: string },
): ValueWithSource {
  const inVariable = variableOf(environment, variable);
  const found = value !== undefined ? { value, source: flag } : inVariable && { value: inVariable, source: variable };
  if (found && form.test(found.value)) return found;
  throw new CommandFailure(`${question}${found ? ` Now ${found.source} is "${printable(found.value)}".` : ""}`);
}

/** The token in a variable. Throws CommandFailure if it is missing or cannot be sent in a header. */
export function tokenOf(environment: Environment, variable: string, howToSet: string): string {
  const token = variableOf(environment, variable);
  if (token !== undefined && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new CommandFailure(`${variable} is not set. Set it to ${howToSet}`);
}

/** An empty variable counts as not set. */
export function variableOf(environment: Environment, name: string): string | undefined {
  return environment[name] || undefined;
}
