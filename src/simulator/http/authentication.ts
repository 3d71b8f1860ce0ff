import { ApiError, forbidden } from "../model/api-error";
import type { Caller } from "../model/callers";
import type { World } from "../model/world";
import type { Endpoint } from "../services/endpoint";

/**
 * Finds the caller by the Authorization header (sections 5.2, 7.2). It checks the format first. All unknown keys get the same
 * answer.
 */
export function authenticate(world: World, header: string | undefined): Caller {
  if (header === undefined) {
    throw new ApiError(401, "AUTHORIZATION_HEADER_REQUIRED_ERROR", "authorization header required");
  }
  // A separator is a space or a tab. A no-break space is part of a field.
  const [scheme, token, ...rest] = header.split(/[ \t]+/).filter((field) => field !== "");
  if (scheme?.toLowerCase() !== "bearer" || token === undefined || rest.length > 0) {
    throw new ApiError(
      401,
      "AUTHORIZATION_FORMAT_INVALID_ERROR",
      "invalid authorization format, use the Bearer scheme: Authorization: Bearer <API_KEY>",
    );
  }
  const caller = world.authenticate(token);
  if (!caller) throw new ApiError(401, "INVALID_TOKEN_ERROR", "invalid token");
  return caller;
}

/** Checks the client's address (section 7.3) and the permission, before the rest of the request is read. */
export function authorize(caller: Caller, clientIp: string, endpoint: Endpoint | undefined): void {
  if (!caller.mayComeFrom(clientIp)) {
    throw new ApiError(403, "IP_RESTRICTED_ERROR", "the address of the client is not allowed for the key");
  }
  const needs = endpoint?.needs;
  if (needs && !caller.may(needs.resourceType, needs.level)) {
    throw forbidden(`the key lacks the permission ${needs.resourceType}:${needs.level}`);
  }
  const oneOf = endpoint?.needsOneOf;
  if (oneOf && !oneOf.some((resourceType) => caller.may(resourceType, "read"))) {
    throw forbidden(`the key may read none of ${oneOf.join(", ")}`);
  }
}
