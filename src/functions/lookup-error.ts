import { CloudinfraError } from "../api/errors/cloudinfra-error";
import type { Finding } from "../definition/rule-context";

/** A function found no such object or several, or was called with wrong arguments. */
export class LookupError extends CloudinfraError {
  readonly code = "LOOKUP_FAILED";

  constructor(
    message: string,
    /** The faults of arguments: missing, wrong, or unknown to the function. */
    readonly faults: readonly Pick<Finding, "field" | "reason">[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
