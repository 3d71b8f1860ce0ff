// The types of "pulumi-cloudinfra/native": those of the package itself, so that a program compiles against either.
export * from "../../index";
export { Provider, type ProviderArgs } from "./provider";
