import { CloudinfraError } from "../api/errors/cloudinfra-error";
import { exitCodes } from "./exit-codes";

/** Why a command cannot do its work, in sentences for the user. `main` prints it and ends with the exit code. */
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

/**
 * Resolves with the result, or with the error whose message is for the user. Rejects with any other error: a fault of
 * this package.
 */
export function orFailure<T>(work: Promise<T>): Promise<T | CommandFailure | CloudinfraError> {
  return work.catch((error: unknown) => {
    if (error instanceof CommandFailure || error instanceof CloudinfraError) return error;
    throw error;
  });
}
