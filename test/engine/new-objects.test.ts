import { upperCaseIds } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { counts, succeeded } from "./support/output";
import { ALL, oneOfEach, program, types } from "./support/programs";
import { Session } from "./support/session";
import { forSuite } from "../support/suite";

const session = forSuite(() => Session.start(program(oneOfEach()), { simulator: { lag: "reads=5s" } }));

const lowerCased = (texts: readonly (string | undefined)[]): string[] =>
  texts.map((text) => String(text).toLowerCase()).sort();

async function expectOneOfEach(): Promise<void> {
  const ids = await session.api.heldIds();
  expect(ids).toHaveLength(types.length);
  expect(lowerCased(session.kept().map(({ id }) => id))).toEqual(ids);
  expect(session.kept().filter(({ initErrors = [] }) => initErrors.length > 0)).toEqual([]);
}

describe("when new objects answer 404 for some seconds", () => {
  it("waits for each new object, and makes it once", async () => {
    expect(counts(succeeded(await session.up()))).toEqual([`+ ${ALL} created`]);
    await expectOneOfEach();
  });

  it("a refresh directly afterwards keeps the new objects", async () => {
    expect(counts(succeeded(await session.refresh()))).toEqual([`${ALL} unchanged`]);
    expect(counts(succeeded(await session.up()))).toEqual([`${ALL} unchanged`]);
    await expectOneOfEach();
  });
});

it("finds objects whose ids come in upper case", async () => {
  succeeded(await session.destroy());
  expect(await session.api.heldIds()).toEqual([]);
  const proxy = await FaultProxy.start(session.api.simulator.url);
  proxy.on({}, upperCaseIds);
  session.stack.env["CLOUDINFRA_BASE_URL"] = proxy.url;
  try {
    expect(counts(succeeded(await session.up()))).toEqual([`+ ${ALL} created`]);
    await expectOneOfEach();
    expect(counts(succeeded(await session.refresh()))).toEqual([`${ALL} unchanged`]);
    expect(counts(succeeded(await session.up()))).toEqual([`${ALL} unchanged`]);
    succeeded(await session.destroy());
    expect(await session.api.heldIds()).toEqual([]);
  } finally {
    await proxy.close();
  }
});
