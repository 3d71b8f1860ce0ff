/** The error types. Those that section 7 does not show are chosen here. */
export type ErrorType =
  | "AUTHORIZATION_HEADER_REQUIRED_ERROR"
  | "AUTHORIZATION_FORMAT_INVALID_ERROR"
  | "INVALID_TOKEN_ERROR"
  | "AUTHORIZATION_ERROR"
  | "IP_RESTRICTED_ERROR"
  | "PERMISSION_ESCALATION"
  | "PROJECT_SCOPE_ESCALATION"
  | "VALIDATION_ERROR"
  | "NOT_FOUND_ERROR"
  | "METHOD_NOT_ALLOWED_ERROR"
  | "CONFLICT_ERROR"
  | "PAYLOAD_TOO_LARGE_ERROR"
  | "UNSUPPORTED_MEDIA_TYPE_ERROR"
  | "RATE_LIMIT_ERROR"
  | "INTERNAL_ERROR"
  | "SIMULATED_FAULT_ERROR";

/** A rejection by the service. Thrown anywhere below the HTTP layer, which answers it as an HTTPError (section 7.1). */
export class Rejection extends Error {
  override readonly name = "Rejection";

  constructor(
    readonly statusCode: number,
    readonly type: ErrorType,
    message: string,
    readonly parameters: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** 403 of section 7.3. */
export function forbidden(message: string): Rejection {
  return new Rejection(403, "AUTHORIZATION_ERROR", message);
}

/** 404: no object of the kind has the id. */
export function notFound(subject: string): Rejection {
  return new Rejection(404, "NOT_FOUND_ERROR", `${subject} not found`);
}

/** 405: the path has other methods, which the answer names. */
export function methodNotAllowed(methods: readonly string[]): Rejection {
  return new Rejection(405, "METHOD_NOT_ALLOWED_ERROR", "method not allowed", {}, { allow: methods.join(", ") });
}

/** 409. The header stops public clients from repeating the request, because a repetition would fail too. */
export function conflict(message: string, parameters: Readonly<Record<string, unknown>> = {}): Rejection {
  return new Rejection(409, "CONFLICT_ERROR", message, parameters, { "x-should-retry": "false" });
}

/** 409: an object that contains others, which the message counts. */
export function nonEmpty(container: string, count: number, noun: string): Rejection {
  return conflict(`the ${container} has ${count} ${noun}${count === 1 ? ", delete it" : "s, delete them"} first`);
}

/** 400 that names every bad parameter with its reason. */
export function invalid(parameters: Readonly<Record<string, string>>): Rejection {
  const names = Object.keys(parameters);
  return new Rejection(400, "VALIDATION_ERROR", `invalid parameters: ${names.join(", ")}`, parameters);
}
