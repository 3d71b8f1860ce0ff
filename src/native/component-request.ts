import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import * as pulumi from "@pulumi/pulumi";
import { NAMESPACE } from "../engine/settings-list";
import { pulumiRequire } from "../engine/pulumi-modules";

// A function of Pulumi's SDK for its own server of components, which is not in its types.
const { deserializeInputs } = pulumiRequire("@pulumi/pulumi/provider/server") as {
  readonly deserializeInputs: (inputs: Struct, dependencies: unknown) => Promise<pulumi.Inputs>;
};
const { hookBindingFromProto } = pulumi.runtime as unknown as {
  readonly hookBindingFromProto: (hooks: unknown) => pulumi.ComponentResourceOptions["hooks"];
};

/** The arguments in the form of the SDK. A value that depends on a resource, is secret or is unknown is an Output. */
export async function argumentsOf(request: wire.ConstructRequest): Promise<pulumi.Inputs> {
  const inputs = request.getInputs();
  return inputs === undefined ? {} : deserializeInputs(inputs, request.getInputdependenciesMap());
}

/**
 * The options that have an effect on components. The children use the provider that the program names for this package, otherwise
 * `provider`, the one that this process serves.
 */
export function componentOptions(
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
