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

  const run = (command: string, ...flags: string[]): ReturnType<typeof session.stack.pulumi> => {
    const env = { CLOUDINFRA_API_KEY: session.api.simulator.apiKey };
    return session.stack.pulumi([command, "--yes", "--skip-preview", "--non-interactive", ...flags], { env });
  };

  it.each(["refresh", "destroy"])("%s fails, and does not try the other key", async (command) => {
    const output = failed(await run(command));
    expect(output).toContain("the stack's configuration (cloudinfra:apiKey");
    expect(output).toContain("CLOUDINFRA_API_KEY has another key, which may belong to another account");
    await session.expectAgreement();
  });

  it("destroys with the environment's key after the advice", async () => {
    succeeded(await session.stack.pulumi(["config", "rm", "cloudinfra:apiKey"]));
    succeeded(await run("destroy", "--run-program"));
    expect(await session.api.heldIds()).toEqual([]);
  });
});
