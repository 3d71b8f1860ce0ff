import { forSuite } from "../support/suite";
import { counts, failed, partsOf, rowOf, diagnosticsOf, succeeded } from "./support/output";
import { declareOnly, FRONTS, program, programOf } from "./support/programs";
import { Session } from "./support/session";

const permissions = [{ resourceType: "vm", permission: "edit" }];
const rotated = { permissions, lifetime: "90d", rotateBefore: "14d" };
const key = (args: object = {}, options = "{}"): string =>
  declareOnly("ApiKey", "ci", { ...rotated, ...args }, options);
const shownKey = (session: Session): string => String(session.shownOutputsOf("ci")["key"]);

describe("a key with a lifetime", () => {
  const session = forSuite(() => Session.startUp(program(key()), { env: { PULUMI_EXPERIMENTAL: "1" } }));

  it("shows no difference before its rotation is due", async () => {
    const { result, requests } = await session.api.during(() => session.stack.preview());
    expect(counts(succeeded(result))).toEqual(["2 unchanged"]);
    expect(requests).toEqual(["GET regions"]);
  });

  it("replaces a due key as its preview says", async () => {
    const before = session.one("ci");
    await session.api.advance("77d");
    const output = succeeded(await session.stack.up(["--strict"]));
    const { preview } = partsOf(output);
    const end = String(before.outputs["expiresAt"]).slice(0, 10);
    expect(rowOf(preview, "ci")).toContain(`rotates: expires ${end}, window 14d`);
    expect(counts(preview)).toContain("+-1 to replace");
    expect(output).not.toContain("violates plan");
    const after = session.one("ci");
    expect(after.outputs).toMatchObject({ replacedId: before.id, generation: 1 });
    expect(await session.api.keyIds()).toEqual([after.id]);
  });

  it("does not rotate a key if ignoreChanges contains expiresAt", async () => {
    const before = session.one("ci");
    await session.api.advance("80d");
    session.stack.write(program(key({}, `{ ignoreChanges: ["expiresAt"] }`)));
    const output = succeeded(await session.up());
    expect(counts(output)).toEqual(["2 unchanged"]);
    expect(diagnosticsOf(output, "ci")).toContain("and `ignoreChanges` keeps this end");
    expect(session.one("ci")).toMatchObject({ ignoreChanges: ["expiresAt"] }); // which `rotate --check` reads
    expect(await session.api.keyIds()).toEqual([before.id]);
  });
});

describe.each(FRONTS)("the key that the provider signs in with (%s)", (front) => {
  const own = {
    permissions: [
      { resourceType: "api_key", permission: "edit" },
      { resourceType: "vpc", permission: "edit" },
    ],
    lifetime: "90d",
  };

  it("rotates the provider's key, and a later run deletes it", async () => {
    const session = await Session.start(programOf(front, declareOnly("ApiKey", "ci", own)));
    const { stack } = session;
    succeeded(await session.up());
    const first = session.one("ci");
    const old = shownKey(session);
    stack.env["CLOUDINFRA_API_KEY"] = old;

    stack.write(programOf(front, declareOnly("ApiKey", "ci", { ...own, rotationTrigger: 1 })));
    const preview = succeeded(await stack.preview());
    expect(preview).toContain("the provider signs in with this key (the environment variable CLOUDINFRA_API_KEY)");
    const output = succeeded(await session.up());
    const second = session.one("ci");
    expect(output).toContain(`the rest of this run signs in with the new key ${second.id}`);
    expect(output).toContain(`this run signed in with API key ${first.id}, so it does not delete it`);
    expect(await session.api.keyIds()).toEqual([first.id, second.id].sort());

    // Each run says where the new one is, as long as the old one signs in.
    expect(succeeded(await session.refresh())).toContain(`this key is the successor of ${first.id}`);

    // as the printed command puts it into the configuration: from the state, unseen
    const secret = shownKey(session);
    expect(output).not.toContain(secret);
    stack.env["CLOUDINFRA_API_KEY"] = secret;
    expect(succeeded(await stack.preview())).toContain(`deletes API key ${first.id}, which this one has replaced`);
    const swept = succeeded(await session.up());
    expect(counts(swept)).toContain("~ 1 updated");
    expect(await session.api.keyIds()).toEqual([second.id]);
    const unchanged = succeeded(await session.up());
    expect(counts(unchanged)).toEqual(["2 unchanged"]);
    expect(unchanged).not.toContain("is the successor of");

    stack.env["CLOUDINFRA_API_KEY"] = old;
    expect(failed(await stack.preview())).toContain('an earlier key of "ci", the state has its successor');
    stack.env["CLOUDINFRA_API_KEY"] = secret;

    const destroyed = succeeded(await session.destroy());
    expect(destroyed).toContain(`this run signed in with API key ${second.id}, so it does not delete it`);
    expect(await session.api.keyIds()).toEqual([second.id]);
  });
});
