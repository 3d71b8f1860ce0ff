import "./process/node-version";
import "./provider-process/compile-cache";
import type * as pulumi from "@pulumi/pulumi";
import type { ConfigReader } from "./settings/config";
import { pluginCallsOf, type PluginCalls } from "./dynamic/plugin-calls";
import { endIfEngineDisappears, rowLogOfThisProcess } from "./provider-process/engine-process";
import { dynamicToken, urnParts } from "./engine/urn";
import type { Run } from "./lifecycle/run/run";
import * as permissionTable from "./permissions/needed-permissions";
import { kinds, localKinds } from "./resources/registry";
import { startRun } from "./provider-process/start-run";
import { version } from "./process/version";

/** The interface for the engine's plugin: the calls of one kind, after `configure`. */
export type Provider = PluginCalls & Pick<pulumi.dynamic.ResourceProvider, "configure">;

endIfEngineDisappears();

let config: ConfigReader = () => undefined;
let run: Run | undefined;

/** The run of this process: the engine starts a plugin process for each operation. */
function runOfThisProcess(): Run {
  return (run ??= startRun((key) => config(key), rowLogOfThisProcess(), {
    kindOf: (urn) => kinds.find(({ type }) => dynamicToken(type) === urnParts(urn).token),
    permissionTable,
  }));
}

/**
 * The provider of one kind of resource, by the last part of its type token. It must not change, because users' states
 * contain the text that calls it. Throws for a kind that this version of the package does not know.
 */
export function v1(type: string): Provider {
  const kind = [...kinds, ...localKinds].find((candidate) => candidate.type === type);
  if (!kind) {
    throw new Error(
      `pulumi-cloudinfra ${version} has no resource ${type}: install the version that wrote this state, or newer.`,
    );
  }
  return {
    ...pluginCallsOf(kind, runOfThisProcess),
    // Synchronous and without errors, because the plugin does not await it. The first use validates the settings.
    configure: (request) => {
      config = (key) => request.config.get(`cloudinfra:${key}`);
      return Promise.resolve();
    },
  };
}
