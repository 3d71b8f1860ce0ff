import { exitCodes } from "./exit-codes";

/** The reason why a command cannot do its work, in sentences for the user. `main` prints it and ends with the exit code. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: number;

  constructor(
    message: string,
    { exitCode = exitCodes.error, ...options }: ErrorOptions & { readonly exitCode?: number } = {},
  ) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
