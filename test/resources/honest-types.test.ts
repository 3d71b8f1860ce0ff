import type * as pulumi from "@pulumi/pulumi";
import type * as cloudinfra from "../../src";

// What the compiler says of them is the test: `npm run typecheck`.

type Is<A, B> = [A, B] extends [B, A] ? true : false;
const holds = (...proofs: readonly true[]): number => proofs.length;

it("a key's secret may be undefined, and the types say so", () => {
  expect(
    holds(
      true satisfies Is<cloudinfra.ApiKey["key"], pulumi.Output<string | undefined>>,
      true satisfies Is<cloudinfra.RotatingKey["key"], pulumi.Output<string | undefined>>,
    ),
  ).toBe(2);
});

it("what config.requireNumber gives is a bandwidth: check says which ones there are", () => {
  const fits = (config: pulumi.Config): Pick<cloudinfra.ConnectConnectionArgs, "bandwidthMbps"> => ({
    bandwidthMbps: config.requireNumber("bandwidth"),
  });
  expect(fits).toBeInstanceOf(Function);
});
