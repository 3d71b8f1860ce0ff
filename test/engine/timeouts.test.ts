import { failed, rowOf, saidOf, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";

const link = (timeouts?: object, args: object = {}): string =>
  program(declare("ConnectConnection", "link", args, JSON.stringify(timeouts ? { customTimeouts: timeouts } : {})));

describe("when a resource has customTimeouts", () => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start(link({ create: "1s" }));
  });

  it("a creation that takes longer fails then, and says how to raise the time; the id is kept", async () => {
    await session.api.fault({ method: "POST", path: `^${paths.connections}$`, operation: "never" });
    const said = saidOf(failed(await session.up()), "link");
    expect(said).toMatch(/was still "running" after \d s\./);
    expect(said).toContain("set customTimeouts on the resource, or cloudinfra:operationTimeout");
    expect(await session.api.heldIds()).toEqual([session.one("link").id]);
  });

  it("an update that takes longer fails then", async () => {
    succeeded(await session.destroy());
    session.stack.write(link({ update: "1s" }));
    succeeded(await session.up());
    session.stack.write(link({ update: "1s" }, { tags: ["new"] }));
    await session.api.fault({ method: "PATCH", path: `^${paths.connections}/`, operation: "never" });
    expect(saidOf(failed(await session.up()), "link")).toMatch(/update connect connection "link": .* after \d s\./);
  });
});

describe("when only customTimeouts change", () => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start(link());
    succeeded(await session.up());
  });

  it("the update sends the API no change, and the state has them", async () => {
    session.stack.write(link({ delete: "1s" }));
    const { result, requests } = await session.api.during(() => session.up());
    expect(rowOf(succeeded(result), "link")).toContain("updated");
    expect(requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
    const again = await session.up();
    expect(succeeded(again)).toContain("2 unchanged");
  });

  it("a destroy, which sees the state alone, goes by them", async () => {
    await session.api.fault({ method: "DELETE", path: `^${paths.connections}/`, operation: "never" });
    expect(saidOf(failed(await session.destroy()), "link")).toMatch(
      /delete connect connection "link": .* after \d s\./,
    );
  });
});

it("when a duration is none, the preview says so before anything is sent", async () => {
  const session = await Session.start(link({ create: "soon" }));
  const { result, requests } = await session.api.during(() => session.stack.preview());
  expect(saidOf(failed(result), "link")).toContain(
    'customTimeouts.create: must be a duration such as "90s" or "1h30m", and is "soon"',
  );
  expect(requests).toEqual([]);
});
