import { foreign404 } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { counts, failed, saidOf, succeeded } from "./support/output";
import { ALL, names, oneOfEach, program } from "./support/programs";
import { Session } from "./support/session";

let session: Session;
let proxy: FaultProxy;
let ids: readonly string[];

beforeAll(async () => {
  session = await Session.start(program(oneOfEach()));
  succeeded(await session.up());
  ids = await session.api.heldIds();
  proxy = await FaultProxy.start(session.api.simulator.url);
});
afterAll(async () => {
  await proxy.close();
});

/** State and API are as they were, and the next run has nothing to do. */
async function expectNothingLost(): Promise<void> {
  expect(
    session
      .kept()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(ids);
  expect(await session.api.heldIds()).toEqual(ids);
  expect(counts(succeeded(await session.up()))).toEqual([`${ALL} unchanged`]);
}

describe.each([
  ["an ingress answers 404 to everything", foreign404, "", "the answer is an HTML page, not the API's own error"],
  ["the base URL has /api too much", undefined, "/api", "GET /v1/regions, which every API has, got the same answer"],
])("when %s", (_what, action, prefix, finding) => {
  const run = (command: string) =>
    session.stack.pulumi([command, "--yes", "--non-interactive", "--skip-preview"], {
      env: { CLOUDINFRA_BASE_URL: proxy.url + prefix },
    });

  beforeAll(() => {
    if (action) proxy.on({}, action);
  });
  afterAll(() => proxy.clear());

  it.each(["refresh", "destroy"])("a %s fails with advice", async (command) => {
    const output = failed(await run(command));
    // A destroy stops at the first that fails; which one that is, the engine chooses.
    const said = names.filter((name) => output.includes(`(${name}):`)).map((name) => saidOf(output, name));
    expect(said.length).toBeGreaterThan(0);
    for (const text of said) {
      expect(text).toContain(finding);
      expect(text).toContain(`Check the base URL, ${proxy.url + prefix} (the part before /v1)`);
      expect(text).toContain("cloudinfra doctor");
    }
  });

  it("state and objects stay as they are", expectNothingLost);
});
