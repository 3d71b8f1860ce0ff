import { counts, failed, succeeded } from "./support/output";
import { keysHeld } from "./support/pair-of-keys";
import { declareOnly, FRONTS, programOf } from "./support/programs";
import { Session } from "./support/session";

const shownKey = (session: Session): string => String(session.shownOutputsOf("ci")["key"]);

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
    expect(await keysHeld(session)).toEqual([first.id, second.id].sort());

    // Each run says where the new one is, as long as the old one signs in.
    expect(succeeded(await session.refresh())).toContain(`this key is the successor of ${first.id}`);

    // as the printed command puts it into the configuration: from the state, unseen
    const secret = shownKey(session);
    expect(output).not.toContain(secret);
    stack.env["CLOUDINFRA_API_KEY"] = secret;
    expect(succeeded(await stack.preview())).toContain(`deletes API key ${first.id}, which this one has replaced`);
    const swept = succeeded(await session.up());
    expect(counts(swept)).toContain("~ 1 updated");
    expect(await keysHeld(session)).toEqual([second.id]);
    const unchanged = succeeded(await session.up());
    expect(counts(unchanged)).toEqual(["2 unchanged"]);
    expect(unchanged).not.toContain("is the successor of");

    stack.env["CLOUDINFRA_API_KEY"] = old;
    expect(failed(await stack.preview())).toContain('an earlier key of "ci", the state has its successor');
    stack.env["CLOUDINFRA_API_KEY"] = secret;

    const destroyed = succeeded(await session.destroy());
    expect(destroyed).toContain(`this run signed in with API key ${second.id}, so it does not delete it`);
    expect(await keysHeld(session)).toEqual([second.id]);
  });
});
