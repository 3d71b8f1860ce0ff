// Every lookup and its output form.
export * from "./activity";
export * from "./billing";
export * from "./compute";
export * from "./networking";
export * from "./nks";
export * from "./organization";
export * from "./regions";
export * from "./rpc-nodes";
