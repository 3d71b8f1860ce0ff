import { CloudinfraError } from "../api/errors/cloudinfra-error";

/** A function found no such object, or more than one. */
export class LookupError extends CloudinfraError {
  readonly code = "LOOKUP_FAILED";

  constructor(
    message: string,
    /** The argument that is missing, or that the function does not have. */
    readonly argument?: string,
  ) {
    super(message);
  }
}
