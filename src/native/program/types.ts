// The types of "pulumi-cloudinfra/native". They are those of the package itself, so that a program compiles with
// either.
export * from "../../index";
export { Provider, type ProviderArgs } from "./explicit-provider";
