import { CloudinfraError } from "../api/errors/cloudinfra-error";
import type { Finding } from "../definition/rules";

/** A function found no such object, or more than one. */
export class LookupError extends CloudinfraError {
  readonly code = "LOOKUP_FAILED";

  constructor(
    message: string,
    /** The arguments that are missing or wrong, or that the function does not have. */
    readonly faults: readonly Pick<Finding, "field" | "reason">[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
