import * as pulumi from "../engine/pulumi-sdk";

type Aliases = NonNullable<pulumi.ResourceOptions["aliases"]>;

/**
 * The aliases of a resource, each also with its type in the other front. So a stack moves from one front to the other
 * by a changed import.
 */
export function withFormerType(aliases: Aliases = [], formerType: string): Aliases {
  const typed = (alias: pulumi.URN | pulumi.Alias): pulumi.URN | pulumi.Alias =>
    typeof alias === "string" || alias.type !== undefined ? alias : { ...alias, type: formerType };
  const retyped = aliases.map((alias) =>
    pulumi.Output.isInstance(alias) || alias instanceof Promise ? pulumi.output(alias).apply(typed) : typed(alias),
  );
  return [...aliases, { type: formerType }, ...retyped];
}
