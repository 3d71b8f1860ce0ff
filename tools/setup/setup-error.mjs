/** The set-up cannot go on, and the message says to a person what to do: shown without a stack. */
export class SetupError extends Error {
  name = "SetupError";
}
