import { counts, failed, saidOf, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

const NOWHERE = "00000000-0000-4000-8000-00000000dead";

afterAll(() => Session.closeAll());

describe("when a kind has an availability endpoint", () => {
  const volume = (args: object = {}): string => program(declare("Volume", "data", { size: 100, type: "abs", ...args }));

  it("the preview fails on a refusal in the API's words, and a corrected program is what the next run makes", async () => {
    const session = await Session.start(volume({ vmId: NOWHERE }));
    const preview = await session.api.during(() => session.stack.preview());
    expect(saidOf(failed(preview.result), "data")).toContain("the API refuses it: vmId: no such VM");
    expect(preview.requests.filter((request) => request.endsWith("/availability"))).toEqual([
      "POST volumes/availability",
    ]);
    expect(await session.api.heldIds()).toEqual([]);

    session.stack.write(volume());
    succeeded(await session.stack.preview());
    const { result, requests } = await session.api.during(() => session.up());
    succeeded(result);
    expect(requests.filter((request) => request.endsWith("/availability"))).toEqual([]); // the creation is the check
    await session.expectAgreement();
    const next = await session.api.during(() => session.stack.preview());
    expect(counts(succeeded(next.result))).toEqual(["2 unchanged"]);
    expect(next.requests).toEqual([]);
  });

  it("the preview warns of what there is no room for now, and the update fails with the same words", async () => {
    const session = await Session.start(volume({ size: 20_000 }));
    const words = "quota exceeded in us-sva-2: 0 of 10000 abs used, and 20000 more asked for";
    const said = saidOf(succeeded(await session.stack.preview()), "data");
    expect(said).toMatch(/^warning: the API could not do it now: check volume "data" .* was answered 409 .*/m);
    expect(said).toContain(words);
    expect(saidOf(failed(await session.up()), "data")).toContain(words);
    await session.expectAgreement();
  });
});
