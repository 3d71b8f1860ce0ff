/** The reason why a command cannot do its work, in sentences for the user. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}
