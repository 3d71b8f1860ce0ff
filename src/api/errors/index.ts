export {
  CloudinfraError,
  ConfigurationError,
  QuoteNotOfferedError,
  RequestError,
  type Effect,
  type RequestLine,
} from "./cloudinfra-error";
export { saysNoRoom } from "./error-response";
export {
  ApiError,
  BadRequestError,
  ConflictError,
  ForbiddenError,
  isRefusal,
  NotFoundError,
  orUndefined,
  RateLimitedError,
  RedirectError,
  ServerError,
  UnauthorizedError,
} from "./api-error";
export { AbortedError, ConnectionError, PausedError, TimeoutError, type ConnectionFailure } from "./connection-error";
export { InvalidResponseError, NotTheApiError, type ResponseDefect } from "./invalid-response";
export { OperationFailedError, OperationTimeoutError } from "./operation-error";
