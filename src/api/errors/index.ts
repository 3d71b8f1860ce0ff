export * from "./api-error";
export * from "./cloudinfra-error";
export * from "./connection-error";
export { isCapacityRefusal } from "./error-response";
export * from "./invalid-response";
export * from "./operation-error";
