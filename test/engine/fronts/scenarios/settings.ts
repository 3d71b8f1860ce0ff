import { declare, inDays } from "../../support/programs";
import { paths } from "../../support/simulated-api";
import { destroy, preview, refresh, repeatedUnderStack, up, type Scenario } from "../scenario";
import type { Stage } from "../stage";

const OTHER = "http://127.0.0.1:1/other";

const OTHER_KEY = "CLOUDINFRA_API_KEY has another key, which may belong to another account";

const MOVE =
  "warning: The base URL changes from http://<host> to http://<host>/other. Nothing is replaced: the provider expects the objects of " +
  "the state at the new address. If that is another API or another organization, a refresh would remove them from the state, and an update would " +
  "fail. Then go back, and use another stack";

/** Makes a key that may edit volumes, and sets it for the stack. */
async function setKey({ session: { api, stack }, ids }: Stage, name: string): Promise<void> {
  const made = await api.call("POST", paths.apiKeys, {
    name,
    project_ids: [api.simulator.projectId],
    permissions: [{ resource_type: "volume", permission: "edit" }],
    expires_at: inDays(30),
  });
  ids[name] = made.id;
  await stack.setConfig("cloudinfra:apiKey", { secret: String(made["key"]) });
}

/** The configuration changes after an update. A refresh and a destroy use what the update saved. */
export const settings: Scenario = {
  title: "settings that change after an update",
  options: { env: { CLOUDINFRA_API_KEY: undefined, CLOUDINFRA_BASE_URL: undefined } },
  steps: [
    {
      title: "an update saves the settings in the state",
      program: [declare("Volume", "data")],
      first: async (stage) => {
        await setKey(stage, "first");
        await stage.session.stack.setConfig("cloudinfra:baseUrl", stage.proxy.url);
      },
      run: up,
    },
    {
      title: "a refresh names and uses the saved base URL",
      first: ({ session: { stack } }) => stack.setConfig("cloudinfra:baseUrl", OTHER),
      run: refresh,
      shows: ({ output, requests, stage: { proxy } }) => {
        expect(output.split(`is ${OTHER}, but this run works at ${proxy.url}: without --run-program`)).toHaveLength(3);
        expect(requests).not.toEqual([]);
      },
    },
    {
      title: "a preview warns that the base URL changes",
      run: preview,
      shows: ({ output, stage: { proxy } }) =>
        expect(output).toContain(`The base URL changes from ${proxy.url} to ${OTHER}. Nothing is replaced`),
      differs: {
        reason:
          "The engine shows the former settings to a plugin, on the provider's row. A dynamic provider notes them with its resources.",
        lines: {
          screen: {
            dynamic: [`test-dev: ${MOVE}.`],
            native: [
              "    pulumi:providers:cloudinfra default_0_1_0  1 warning",
              `default_0_1_0: ${MOVE} or another provider.`,
            ],
          },
        },
      },
    },
    {
      title: "a refresh names the deleted key and the remedy",
      first: async (stage) => {
        const { session, proxy, ids } = stage;
        await session.stack.setConfig("cloudinfra:baseUrl", proxy.url);
        await setKey(stage, "second");
        await session.api.call("DELETE", `${paths.apiKeys}/${ids["first"]}`);
        session.stack.env["CLOUDINFRA_API_KEY"] = session.api.simulator.apiKey;
      },
      run: refresh,
      fails: true,
      shows: ({ output }) => {
        expect(output).toContain("(cloudinfra:apiKey, as the last update saved it) was refused");
        expect(output).toContain("run `pulumi up` first, or add `--run-program`");
        expect(output).not.toContain("Put a valid key there");
        expect(output).toContain(OTHER_KEY);
      },
      differs: repeatedUnderStack("test-dev: read failed: the resource's own line says why"),
    },
    {
      title: "a destroy does not replace the revoked key by the environment's",
      run: destroy,
      fails: true,
      shows: async ({ session, output }) => {
        expect(output).toContain(OTHER_KEY);
        expect((await session.api.held()).volumes).toHaveLength(1);
      },
      differs: repeatedUnderStack("test-dev: delete failed: the resource's own line says why"),
    },
    {
      title: "destroy --run-program uses the configured settings",
      run: (session) => session.destroy(["--run-program"]),
      shows: async ({ session, output }) => {
        expect(output).not.toContain("the last update saved");
        expect((await session.api.held()).volumes).toEqual([]);
      },
    },
  ],
};
