import { counts, rowOf, succeeded } from "./support/output";
import { ALL, inDays, oneOfEach, program } from "./support/programs";
import { Session } from "./support/session";
import { shortCollections } from "./support/simulated-api";

const PERMISSIONS = [
  { resourceType: "vm", permission: "edit" },
  { resourceType: "vpc", permission: "read" },
];

let session: Session;

beforeAll(async () => {
  session = await Session.start(
    program(
      oneOfEach({
        ApiKey: { permissions: PERMISSIONS },
        ConnectConnection: { tags: ["a", "b"], cidrs: ["10.0.0.0/25", "10.1.0.0/25"] },
        FirewallRule: { destinationPorts: ["80", "443"] },
      }),
    ),
  );
  succeeded(await session.up());
});

/** Runs it, and expects that neither Pulumi nor the API has seen a difference. */
async function expectNoChange(run: () => ReturnType<Session["up"]>): Promise<void> {
  const before = await session.api.held();
  const { result, requests } = await session.api.during(run);
  expect(counts(succeeded(result))).toEqual([`${ALL} unchanged`]);
  expect(requests).toEqual([]);
  expect(await session.api.held()).toEqual(before);
}

it("when nothing has changed, it previews no change and calls the API not once", () =>
  expectNoChange(() => session.stack.preview()));

it("when nothing has changed, it brings up nothing and calls the API not once", () =>
  expectNoChange(() => session.up()));

it("when a preview refreshes first, no row shows a difference", async () => {
  const { result, requests } = await session.api.during(() => session.stack.preview(["--refresh"]));
  const output = succeeded(result);
  expect(counts(output)).toEqual([`${ALL} unchanged`]);
  expect(output).not.toContain("[diff");
  expectOneReadOfEach(requests);
});

/** There is one request for each collection: for its object, or for its list if many objects are read. */
function expectOneReadOfEach(requests: readonly string[]): void {
  const collections = requests.map((request) => request.replace(/^GET /, "").replace(/\/:id$/, ""));
  expect(collections.sort()).toEqual(shortCollections());
}

/** The program in other words, and with these tags for the rule. */
function inOtherWords(ruleTags: readonly string[]): string {
  const { projectId, region } = session.api.simulator;
  return program(
    oneOfEach({
      ApiKey: {
        projectIds: [projectId],
        permissions: PERMISSIONS.toReversed().map(({ resourceType, permission }) => ({ permission, resourceType })),
        expiresAt: inDays(90).replace("Z", ".000+00:00"),
        sourceIpRule: { allowed: [], blocked: [] },
        tags: [],
      },
      ConnectConnection: { projectId, region, tags: ["b", "a"], cidrs: ["10.1.0.0/25", "10.0.0.0/25"] },
      FirewallRule: { destinationPorts: ["443", "80"], tags: ruleTags },
    }),
  );
}

describe("when the program says the same in other words", () => {
  it("it previews no change", async () => {
    session.stack.write(inOtherWords([]));
    await expectNoChange(() => session.stack.preview());
  });

  it("beside a change, the other words do not show as one", async () => {
    session.stack.write(inOtherWords(["new"]));
    expect(rowOf(succeeded(await session.stack.preview()), "https")).toMatch(/update \[diff: [~+]tags\]/);
  });

  it("it brings up nothing", async () => {
    session.stack.write(inOtherWords([]));
    await expectNoChange(() => session.up());
  });
});

describe("when a refresh has read what the API fills in by itself", () => {
  it("it finds no difference, with one GET for each collection", async () => {
    const { result, requests } = await session.api.during(() => session.refresh());
    expect(counts(succeeded(result))).toEqual([`${ALL} unchanged`]);
    expectOneReadOfEach(requests);
  });

  it("it previews no change afterwards: the account id, which is never returned, is still known", async () => {
    await expectNoChange(() => session.stack.preview());
    expect(session.one("link").outputs["externalProvider"]).toEqual({ accountId: "123456789012", region: "us-west-2" });
  });
});
