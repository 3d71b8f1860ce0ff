import { failed, saidOf, succeeded } from "./support/output";
import { declare, inDays, program } from "./support/programs";
import { Session, type SessionOptions } from "./support/session";
import { paths } from "./support/simulated-api";

const WRONG = "a-key-that-nobody-knows";
const text = program(declare("ConnectConnection", "link"));

/** What a preview that has to fail said of the resource. */
async function refusal(options: SessionOptions): Promise<string> {
  const session = await Session.start(text, options);
  const output = failed(await session.stack.preview());
  expect(output).not.toContain(WRONG);
  expect(await session.api.heldIds()).toEqual([]);
  return saidOf(output, "link");
}

describe("when the credential is missing", () => {
  it("the preview fails with one message that says both ways to set it", async () => {
    const said = await refusal({ env: { CLOUDINFRA_API_KEY: undefined } });
    expect(said.match(/error:/g)).toHaveLength(1);
    expect(said).toContain("pulumi config set --secret cloudinfra:apiKey");
    expect(said).toContain("CLOUDINFRA_API_KEY=");
  });
});

describe("when the credential is refused", () => {
  it("the preview fails and says that it was the one of the configuration", async () => {
    const said = await refusal({
      config: { "cloudinfra:apiKey": { secret: WRONG } },
      env: { CLOUDINFRA_API_KEY: undefined },
    });
    expect(said).toContain("answered 401");
    expect(said).toContain("the stack's configuration (cloudinfra:apiKey)");
  });

  it("the preview fails and says that it was the one of the environment", async () => {
    const said = await refusal({ env: { CLOUDINFRA_API_KEY: WRONG } });
    expect(said).toContain("answered 401");
    expect(said).toContain("the environment variable CLOUDINFRA_API_KEY");
  });
});

describe("when the base URL is missing", () => {
  it("the preview fails with one sentence that says how to set it or to start an API", async () => {
    const said = await refusal({ env: { CLOUDINFRA_BASE_URL: undefined } });
    expect(said).toContain("No base URL is configured");
    expect(said).toContain("pulumi config set cloudinfra:baseUrl");
    expect(said).toContain("CLOUDINFRA_BASE_URL");
    expect(said).toContain("simulator");
  });
});

describe("when the key of the configuration was revoked, and the environment has a good one", () => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start(text, { env: { CLOUDINFRA_API_KEY: undefined } });
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

  it("without one in the environment, a refresh fails and says which key was refused", async () => {
    expect(failed(await session.refresh())).toContain("the stack's configuration (cloudinfra:apiKey, as");
    await session.expectAgreement();
  });

  it.each(["refresh", "destroy"])("a plain %s works with it, and warns", async (command) => {
    const args = [command, "--yes", "--skip-preview", "--non-interactive"];
    const env = { CLOUDINFRA_API_KEY: session.api.simulator.apiKey };
    const output = succeeded(await session.stack.pulumi(args, { env }));
    expect(output).toMatch(/warning: The API refused .*cloudinfra:apiKey.*CLOUDINFRA_API_KEY/);
    expect(await session.api.heldIds()).toHaveLength(command === "destroy" ? 0 : 1);
  });
});

describe("when the credential may not do what is asked", () => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start(program(declare("ConnectConnection", "link"), declare("ApiKey", "deployer")));
    succeeded(await session.up());
    const { api, stack } = session;
    const reader = await api.call("POST", paths.apiKeys, {
      name: "reader",
      project_ids: [api.simulator.projectId],
      permissions: [{ resource_type: "connect_connection", permission: "read" }],
      expires_at: inDays(30),
    });
    await stack.setConfig("cloudinfra:apiKey", { secret: String(reader["key"]) });
    stack.env["CLOUDINFRA_API_KEY"] = "";
  });

  it("an update is refused on the resource, with the permission that lacks, and changes nothing", async () => {
    session.stack.write(
      program(declare("ConnectConnection", "link", { tags: ["new"] }), declare("ApiKey", "deployer")),
    );
    const said = saidOf(failed(await session.up()), "link");
    expect(said).toMatch(/update connect connection "link".*was answered 403 AUTHORIZATION_ERROR/);
    expect(said).toContain("connect_connection:edit");
    expect((await session.api.held()).connections[0]).toMatchObject({ tags: [] });
  });

  it("a refresh does not take what it may not read for gone", async () => {
    expect(saidOf(failed(await session.refresh()), "deployer")).toContain("was answered 403 AUTHORIZATION_ERROR");
    expect(session.one("deployer").outputs).toHaveProperty("key");
    expect((await session.api.held()).apiKeys.map(({ id }) => id)).toContain(session.one("deployer").id);
  });
});
