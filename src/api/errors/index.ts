export * from "./api-error";
export * from "./cloudinfra-error";
export * from "./no-usable-response";
export { isCapacityRefusal } from "./error-response";
export * from "./operation-error";
