/** Why a command cannot do what it was asked for, in sentences for the person who asked. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}
