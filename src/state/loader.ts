/** The package name in the loader text. */
export const PACKAGE = "pulumi-cloudinfra";

/**
 * The text in a resource's state with which the engine's plugin for dynamic providers loads the lifecycle. It is
 * constant, so no code is serialized, and an upgrade of the package also works for old states. It must not change,
 * because users' states contain it.
 */
export function loaderOf(type: string): string {
  return `exports.handler = () => require("${PACKAGE}/provider").v1("${type}");`;
}
