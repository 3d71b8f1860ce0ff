import type * as plugin from "@pulumi/pulumi/proto/plugin_pb";
import { silentRowLog } from "../../src/engine/row-log";
import { fillMessage, messages, structOf } from "../../src/native/messages";
import { ProviderService } from "../../src/native/provider-service";
import { pulumiRequire } from "../../src/engine/pulumi-modules";
import { rowLogOfThisProcess } from "../../src/plugin/engine-process";
import { version } from "../../src/process/version";
import { type Message, protocol, startEngine } from "../support/grpc";

const { PluginAttach } = pulumiRequire("@pulumi/pulumi/proto/plugin_pb") as typeof plugin;

/** The answer to a request as the engine gets it. Rejects with the plugin's error. */
function ask(
  method: string,
  request: Message = new messages.GetSchemaRequest(),
  service = new ProviderService(silentRowLog),
): Promise<object> {
  const handler = service.handlers(protocol)[method] as (
    call: { readonly request: Message },
    callback: (error: Error | null, answer: Message | null) => void,
  ) => void;
  return new Promise((resolve, reject) => {
    handler({ request }, (error, answer) => {
      if (error) reject(error);
      else resolve(answer?.toObject() ?? {});
    });
  });
}

describe("the plugin's description", () => {
  it("accepts secrets, outputs and references at the handshake", async () => {
    const taken = {
      acceptSecrets: true,
      acceptOutputs: true,
      acceptResources: true,
      supportsAutonamingConfiguration: true,
    };
    expect(await ask("handshake")).toMatchObject(taken);
  });

  it("returns its version and schema", async () => {
    expect(await ask("getPluginInfo")).toMatchObject({ version });
    const { schema } = (await ask("getSchema")) as { readonly schema: string };
    expect(JSON.parse(schema)).toMatchObject({ name: "cloudinfra" });
  });

  it("refuses another schema format or a subpackage", async () => {
    const other = fillMessage(new messages.GetSchemaRequest(), { version: 7 });
    await expect(ask("getSchema", other)).rejects.toThrow("has the format version 0, not 7");
    const inside = fillMessage(new messages.GetSchemaRequest(), { subpackageName: "moon" });
    await expect(ask("getSchema", inside)).rejects.toThrow('has no subpackage "moon"');
  });

  it.each([
    ["parameterize", "It takes no parameters: it serves one API."],
    ["call", "Its resources have no methods."],
  ])("the plugin does not answer %s, and says why", async (method, reason) => {
    const refusal = `The provider cloudinfra ${version} does not answer ${method}. ${reason}`;
    await expect(ask(method)).rejects.toThrow(refusal);
  });
});

it("serves one provider in several runs, and no second one", async () => {
  const service = new ProviderService(silentRowLog);
  const configure = (name: string): Promise<object> => {
    const urn = `urn:pulumi:dev::test::pulumi:providers:cloudinfra::${name}`;
    return ask("configure", fillMessage(new messages.ConfigureRequest(), { urn, args: structOf({}) }), service);
  };
  await configure("eu");
  await expect(configure("us")).rejects.toThrow('already serves the provider "eu" of the stack dev');
  await expect(configure("eu")).resolves.toBeDefined();
});

it("gives each attached engine the lines of its operation", async () => {
  const rows = rowLogOfThisProcess();
  const engines = [await startEngine(), await startEngine()];
  for (const { address } of engines) {
    await ask("attach", fillMessage(new PluginAttach(), { address }));
    await rows.line("", "info", `to ${address}`);
  }
  expect(engines.map(({ lines }) => lines)).toEqual(engines.map(({ address }) => [`: to ${address}`]));
});
