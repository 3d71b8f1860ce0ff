export * from "./api-error";
export * from "./cloudinfra-error";
export * from "./no-usable-answer";
export { isCapacityRefusal } from "./error-response";
export * from "./operation-error";
