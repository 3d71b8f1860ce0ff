import type * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "../../src";
import type { PROTOCOL } from "../../src/resources/firewall-rule";

// The compiler is the test: `npm run typecheck`.

type Is<A, B> = [A, B] extends [B, A] ? true : false;
const holds = (...proofs: readonly true[]): number => proofs.length;

it("types the secret of a key as possibly undefined", () => {
  expect(
    holds(
      true satisfies Is<cloudinfra.ApiKey["key"], pulumi.Output<string | undefined>>,
      true satisfies Is<cloudinfra.RotatingKey["key"], pulumi.Output<string | undefined>>,
    ),
  ).toBe(2);
});

it("accepts a configured number as bandwidth", () => {
  const fits = (config: pulumi.Config): Pick<cloudinfra.ConnectConnectionArgs, "bandwidthMbps"> => ({
    bandwidthMbps: config.requireNumber("bandwidth"),
  });
  expect(fits).toBeInstanceOf(Function);
});

it("asks for arguments only if one is required", () => {
  const made = {
    plain: () => new cloudinfra.Vpc("network"),
    // @ts-expect-error -- a volume needs a size
    lacking: () => new cloudinfra.Volume("data"),
  };
  expect(Object.keys(made)).toHaveLength(2);
});

/** The outputs that a class adds to those of every Pulumi resource. */
type Own<C> = Exclude<keyof C, keyof pulumi.CustomResource>;

it("shows the outputs of the definitions on the classes", () => {
  const wrong = {
    // @ts-expect-error -- there is no output of this name
    renamed: "asNumber" satisfies keyof cloudinfra.ConnectConnection,
    // @ts-expect-error -- a status is a text
    retyped: ({ status }: cloudinfra.Volume): pulumi.Output<number> => status,
    // @ts-expect-error -- a class that drops an output is not the class
    dropped: (rule: Omit<cloudinfra.FirewallRule, "protocol">): cloudinfra.FirewallRule => rule,
  };
  expect(Object.keys(wrong)).toHaveLength(3);
  expect(
    holds(
      true satisfies Is<
        Extract<"vpcId" | "protocol" | "tags" | "name" | "status" | "updatedAt" | "cost", Own<cloudinfra.FirewallRule>>,
        "vpcId" | "protocol" | "tags" | "name" | "status" | "updatedAt" | "cost"
      >,
      true satisfies Is<cloudinfra.FirewallRule["protocol"], pulumi.Output<(typeof PROTOCOL.values)[number]>>,
      true satisfies Is<cloudinfra.ConnectConnection["asn"], pulumi.Output<number | undefined>>,
    ),
  ).toBe(3);
});
