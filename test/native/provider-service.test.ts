import type * as plugin from "@pulumi/pulumi/proto/plugin_pb";
import { silentRowLog } from "../../src/engine/row-log";
import { fillMessage, messages, structOf } from "../../src/native/messages";
import { ProviderService } from "../../src/native/provider-service";
import { pulumiRequire } from "../../src/engine/pulumi-modules";
import { rowLogOfThisProcess } from "../../src/provider-process/engine-process";
import { version } from "../../src/process/version";
import type { Props } from "../support/mini-state";
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

describe("a plugin that several engines use", () => {
  const attach = (service: ProviderService, address: string): Promise<object> =>
    ask("attach", fillMessage(new PluginAttach(), { address }), service);
  const configure = (service: ProviderService, name: string, settings: Props = {}): Promise<object> => {
    const urn = `urn:pulumi:dev::test::pulumi:providers:cloudinfra::${name}`;
    return ask("configure", fillMessage(new messages.ConfigureRequest(), { urn, args: structOf(settings) }), service);
  };

  it("serves one provider in several runs, and no second one", async () => {
    const service = new ProviderService(silentRowLog);
    await configure(service, "eu");
    await attach(service, "127.0.0.1:7001");
    await expect(configure(service, "us")).rejects.toThrow('already serves the provider "eu" of the stack dev');
    await expect(configure(service, "eu")).resolves.toBeDefined();
  });

  it("keeps the settings of a run if another engine reads the schema", async () => {
    const service = new ProviderService(silentRowLog);
    await attach(service, "127.0.0.1:7001");
    await configure(service, "default_0_1_0", { apiKey: "key" });
    await attach(service, "127.0.0.1:7002");
    await expect(ask("check", new messages.CheckRequest(), service)).rejects.toThrow("has no resource");
  });

  it("forgets the settings of a run when another engine begins one", async () => {
    const service = new ProviderService(silentRowLog);
    await attach(service, "127.0.0.1:7001");
    await configure(service, "default_0_1_0", { apiKey: "old" });
    await attach(service, "127.0.0.1:7002");
    await expect(configure(service, "default_0_2_0", { apiKey: "new" })).resolves.toBeDefined();
  });

  it("serves another version of the stack's own provider with the same settings", async () => {
    const service = new ProviderService(silentRowLog);
    await configure(service, "default_0_2_0", { apiKey: "key" });
    await expect(configure(service, "default_0_1_0", { apiKey: "key" })).resolves.toBeDefined();
    await expect(configure(service, "default_0_1_0", { apiKey: "old" })).rejects.toThrow(
      'already serves the provider "default_0_2_0" of the stack dev',
    );
    await expect(configure(service, "eu", { apiKey: "key" })).rejects.toThrow("can serve only one");
  });
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
