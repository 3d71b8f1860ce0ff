import { CloudinfraError } from "../api/errors/cloudinfra-error";

/** What a function was asked for is not there, or is there more than once. */
export class LookupError extends CloudinfraError {
  readonly code = "LOOKUP_FAILED";
}
