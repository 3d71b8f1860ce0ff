import { failed, succeeded } from "./support/output";
import { declare, inDays, program } from "./support/programs";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";
import { forSuite } from "../support/suite";

const text = program(declare("ConnectConnection", "link"));

describe("when the configured key was revoked, and the environment has a valid one", () => {
  const session = forSuite(() => Session.start(text, { env: { CLOUDINFRA_API_KEY: undefined } }));

  beforeAll(async () => {
    const { api } = session;
    const revoked = await api.call("POST", paths.apiKeys, {
      name: "revoked",
      project_ids: [api.simulator.projectId],
      permissions: [{ resource_type: "connect_connection", permission: "edit" }],
      expires_at: inDays(30),
    });
    await session.stack.setConfig("cloudinfra:apiKey", { secret: String(revoked["key"]) });
    succeeded(await session.up());
    await api.call("DELETE", `${paths.apiKeys}/${revoked.id}`);
  });

  it("a refresh names the refused key", async () => {
    expect(failed(await session.refresh())).toContain("the stack's configuration (cloudinfra:apiKey, as");
    await session.expectAgreement();
  });

  it.each(["refresh", "destroy"])("runs a %s with the environment's key, and warns", async (command) => {
    const args = [command, "--yes", "--skip-preview", "--non-interactive"];
    const env = { CLOUDINFRA_API_KEY: session.api.simulator.apiKey };
    const output = succeeded(await session.stack.pulumi(args, { env }));
    expect(output).toMatch(/warning: The API refused .*cloudinfra:apiKey.*CLOUDINFRA_API_KEY/);
    expect(await session.api.heldIds()).toHaveLength(command === "destroy" ? 0 : 1);
  });
});
