export * from "./api-error";
export * from "./cloudinfra-error";
export * from "./no-answer";
export { isCapacityRefusal } from "./error-response";
export * from "./no-answer";
export * from "./operation-error";
