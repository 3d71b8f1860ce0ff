import { AsyncLocalStorage } from "node:async_hooks";
import { CloudinfraError, ConfigurationError } from "../api/errors";
import { messageOf } from "../lifecycle/errors";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import * as pulumi from "@pulumi/pulumi";
import { isRecord } from "../definition/compare-values";
import { pulumiRequire } from "../engine/pulumi-modules";
import { NAMESPACE } from "../engine/settings-list";
import { nativeToken, typeOfToken } from "../engine/urn";
import { version } from "../process/version";
import type { MovedInKeyArgs, RotatingApiKeyArgs } from "../resources/rotating-api-key";
import { fillMessage, messages, structOf } from "./messages";
import { RotatingApiKey } from "./program/plugin-classes";

/** A resource of the component could not be registered. */
class ComponentError extends CloudinfraError {
  readonly code = "COMPONENT_FAILED";
}

type Fail = (error: unknown) => void;

const failOfComponent = new AsyncLocalStorage<Fail>();
const failsUnderWay = new Set<Fail>();

/**
 * Runs the work that makes a component. If a registration fails, Pulumi's SDK throws an uncaught error, which would end
 * the process. Here such an error fails only this component.
 */
export async function withUncaughtErrors<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  if (!process.listeners("unhandledRejection").includes(failOwner)) process.on("unhandledRejection", failOwner);
  let fail: Fail = () => undefined;
  const failure = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failsUnderWay.add(fail);
  try {
    return await Promise.race([failure, failOfComponent.run(fail, work)]);
  } catch (error) {
    throw isOfSdk(error) ? new ComponentError(messageOf(error), { cause: error }) : error;
  } finally {
    failsUnderWay.delete(fail);
  }
}

/** If no component is under way, the error ends the process, as it does without this listener. */
function failOwner(error: unknown): void {
  const owner = failOfComponent.getStore();
  const failed = owner === undefined ? [...failsUnderWay] : [owner];
  if (failed.length === 0) throw error;
  for (const fail of failed) fail(error);
}

/**
 * True for errors of the SDK, which are plain Errors. Those of this package and of the language have classes of their
 * own.
 */
function isOfSdk(error: unknown): boolean {
  return error instanceof Error && Object.getPrototypeOf(error) === Error.prototype;
}

// Functions of Pulumi's SDK for its own server of components, which are not in its types.
const { withLocalStorage } = pulumiRequire("@pulumi/pulumi/runtime/state") as {
  /** Runs the callback with its own engine, stack and settings, so that parallel components do not mix. */
  readonly withLocalStorage: <Answer>(callback: () => Promise<Answer>) => Promise<Answer>;
};
const { deserializeInputs } = pulumiRequire("@pulumi/pulumi/provider/server") as {
  /** The arguments in the form of the SDK. A value that depends on a resource, is secret or is unknown is an Output. */
  readonly deserializeInputs: (inputs: Struct, dependencies: unknown) => Promise<pulumi.Inputs>;
};
const { awaitFeatureSupport, waitForRPCs, hookBindingFromProto } = pulumi.runtime as unknown as {
  readonly awaitFeatureSupport: () => Promise<void>;
  readonly waitForRPCs: () => Promise<void>;
  readonly hookBindingFromProto: (hooks: unknown) => pulumi.ComponentResourceOptions["hooks"];
};

/**
 * Makes a component for a program in any language. Its class registers it and its children with the engine, from this
 * process. The children use `provider`: the reference of the provider that this process serves.
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
  const type = typeOfToken(token);
  if (type !== "RotatingApiKey") {
    throw new ConfigurationError(
      `This version of the provider (${version}) has no component ${JSON.stringify(token)}. Known are RotatingApiKey.`,
    );
  }
  await connect(request);
  const inputs = request.getInputs();
  const given = inputs === undefined ? {} : await deserializeInputs(inputs, request.getInputdependenciesMap());
  const movedIn = given["slotA"] === undefined ? {} : { slotA: await movedInKey(name, given["slotA"]) };
  const args = { ...given, ...movedIn } as unknown as RotatingApiKeyArgs;
  // The same class that programs in TypeScript use.
  const { urn, current, previous, nextRotation } = new RotatingApiKey(name, args, componentOptions(request, provider));
  // The language host of YAML loses a secret inside an object, so the whole object is secret.
  const outputs = { current: pulumi.output(current), previous: pulumi.output(previous), nextRotation };
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

/**
 * The options that have an effect on components. The children use the provider that the program names for this package,
 * otherwise `provider`, the one that this process serves.
 */
function componentOptions(
  request: wire.ConstructRequest,
  provider: string | undefined,
): pulumi.ComponentResourceOptions {
  const references = new Map([
    ...(provider === undefined ? [] : [[NAMESPACE, provider] as const]),
    ...request.getProvidersMap().entries(),
  ]);
  const [parent, protect] = [request.getParent(), request.getProtect()];
  const [retainOnDelete, deletedWith] = [request.getRetainondelete(), request.getDeletedwith()];
  const hooks = hookBindingFromProto(request.getResourceHooks());
  return {
    aliases: request.getAliasesList().map(aliasOf),
    dependsOn: request.getDependenciesList().map((urn) => new pulumi.DependencyResource(urn)),
    providers: Object.fromEntries(
      [...references].map(([name, reference]) => [name, new pulumi.DependencyProviderResource(reference)]),
    ),
    ...(parent !== "" && { parent: new pulumi.DependencyResource(parent) }),
    ...(protect !== undefined && request.hasProtect() && { protect }),
    // The engine passes these two on to the children.
    ...(retainOnDelete !== undefined && request.hasRetainondelete() && { retainOnDelete }),
    ...(deletedWith !== "" && { deletedWith: new pulumi.DependencyResource(deletedWith) }),
    ...(hooks && { hooks }),
  };
}

function aliasOf(alias: Alias): pulumi.URN | pulumi.Alias {
  const spec = alias.getSpec();
  if (spec === undefined) return alias.getUrn();
  const [name, type, stack, project] = [spec.getName(), spec.getType(), spec.getStack(), spec.getProject()];
  return {
    ...(name !== "" && { name }),
    ...(type !== "" && { type }),
    ...(stack !== "" && { stack }),
    ...(project !== "" && { project }),
    ...(spec.hasParenturn() && { parent: spec.getParenturn() }),
    ...(spec.getNoparent() && { parent: pulumi.rootStackResource }),
  };
}

/** The engine must know aliases when a resource is registered. */
async function movedInKey(name: string, given: unknown): Promise<MovedInKeyArgs> {
  const slotA: unknown = pulumi.Output.isInstance(given) ? await valueOf(given) : given;
  const aliases: unknown = isRecord(slotA) ? slotA["aliases"] : undefined;
  const areAliases = Array.isArray(aliases) && aliases.every((alias) => typeof alias === "string" || isRecord(alias));
  if (areAliases && aliases.some((alias) => typeof alias === "string" && !alias.startsWith("urn:pulumi:")))
    throw new ConfigurationError(
      `RotatingApiKey "${name}": slotA.aliases must be URNs such as "urn:pulumi:dev::my-infra::${nativeToken("ApiKey")}::deployer". ` +
        "`pulumi stack --show-urns` lists them.",
    );
  if (isRecord(slotA) && areAliases && slotA["expiresAt"] !== undefined) return slotA as unknown as MovedInKeyArgs;
  throw new ConfigurationError(
    `RotatingApiKey "${name}": slotA must have aliases, a list of URNs, and expiresAt, and the preview must know both.`,
  );
}

/**
 * The value of an output. Undefined if it is not known before the update. The SDK's function for this is not in its
 * types.
 */
function valueOf<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return (output as unknown as { promise(): Promise<Value> }).promise();
}
