import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import * as pulumi from "@pulumi/pulumi";
import { ConfigurationError } from "../api/errors";
import { pulumiRequire } from "../engine/pulumi-modules";
import { typeOfToken } from "../engine/urn";
import { version } from "../process/version";
import { withUncaughtErrors } from "./component-errors";
import { argumentsOf, componentOptions } from "./component-request";
import { components, valueOf } from "./components";
import { fillMessage, messages, structOf } from "./messages";

// A function of Pulumi's SDK for its own server of components, which is not in its types.
const { withLocalStorage } = pulumiRequire("@pulumi/pulumi/runtime/state") as {
  /** Runs the callback with its own engine, stack and settings, so that parallel components do not mix. */
  readonly withLocalStorage: <Answer>(callback: () => Promise<Answer>) => Promise<Answer>;
};
const { awaitFeatureSupport, waitForRPCs } = pulumi.runtime as unknown as {
  readonly awaitFeatureSupport: () => Promise<void>;
  readonly waitForRPCs: () => Promise<void>;
};

/**
 * Makes a component for a program in any language. Its class registers it and its children with the engine, from this process. The
 * children use `provider`: the reference of the provider that this process serves.
 */
export function construct(
  request: wire.ConstructRequest,
  provider: string | undefined,
): Promise<wire.ConstructResponse> {
  return withLocalStorage(() => withUncaughtErrors(() => makeComponent(request, provider)));
}

async function makeComponent(
  request: wire.ConstructRequest,
  provider: string | undefined,
): Promise<wire.ConstructResponse> {
  const [token, name] = [request.getType(), request.getName()];
  const type = typeOfToken(token) ?? "";
  const make = Object.hasOwn(components, type) ? components[type] : undefined;
  if (make === undefined) {
    throw new ConfigurationError(
      `This version of the provider (${version}) has no component ${JSON.stringify(token)}. ` +
        `Known are ${Object.keys(components).join(", ")}.`,
    );
  }
  await connect(request);
  const { urn, outputs } = await make(name, await argumentsOf(request), componentOptions(request, provider));
  const [state, dependencies] = await pulumi.runtime.serializeResourceProperties(`${type} "${name}"`, outputs);
  const answer = fillMessage(new messages.ConstructResponse(), { urn: await valueOf(urn), state: structOf(state) });
  for (const [output, resources] of dependencies) {
    const urnsList = await Promise.all([...resources].map((resource) => valueOf(resource.urn)));
    const list = fillMessage(new messages.ConstructResponse.PropertyDependencies(), { urnsList });
    answer.getStatedependenciesMap().set(output, list);
  }
  await waitForRPCs();
  return answer;
}

/** Connects the SDK with the engine's monitor, as in a program. */
async function connect(request: wire.ConstructRequest): Promise<void> {
  pulumi.runtime.resetOptions(
    request.getProject(),
    request.getStack(),
    request.getParallel(),
    "", // With the address of the log, the SDK would repeat the secrets of new keys there, for people who debug.
    request.getMonitorendpoint(),
    request.getDryrun(),
    request.getOrganization(),
  );
  await awaitFeatureSupport();
}
