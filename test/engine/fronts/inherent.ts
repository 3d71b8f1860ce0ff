import type { Inherent } from "./scenario";

/** The stack's output of a secret that does not exist yet, under its name on the screen. */
export function unknownSecret(name: string): Inherent {
  return {
    reason:
      "In a preview, the engine asks a plugin for a new resource's outputs, and the secret is marked. It does not ask a dynamic provider.",
    lines: { screen: { dynamic: [`${name}: [unknown]`], native: [`${name}: [secret]`] } },
  };
}

/** Lines of the form `<call> failed`, which Pulumi's server of dynamic providers adds under the stack. */
export function repeatedUnderStack(...lines: readonly string[]): Inherent {
  return {
    reason: "Pulumi's server of dynamic providers prints each error of a call a second time, under the stack.",
    lines: { screen: { dynamic: [...lines].sort(), native: [] } },
  };
}
