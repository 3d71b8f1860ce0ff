import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { interruptedUp, namedBeside, openEntries } from "./support/interruption";
import { succeeded } from "./support/output";
import { declare, FRONTS, program, programOf } from "./support/programs";
import { Session } from "./support/session";

describe("when somebody presses Ctrl-C twice in the middle of an update of 30", () => {
  it("no creation is forgotten: the next up, under another spelling of backend and base URL, has every resource, and names what is beside it", async () => {
    const many = Array.from({ length: 30 }, (_, nth) => declare(nth % 6 === 0 ? "ApiKey" : "FirewallRule", `r${nth}`));
    const session = await Session.start(program(...many));
    const isInTheMiddle = async (): Promise<boolean> => (await session.api.heldIds()).length >= 10;
    await interruptedUp(session, isInTheMiddle, ["SIGINT", "SIGINT"]);
    const kept = session.kept().map(({ id }) => id);
    const made = await session.api.heldIds();
    const inJournal = openEntries(session).map(({ id }) => id);
    // What is there and not in the state is in the journal, with its id or without.
    const unknown = made.filter((id) => !kept.includes(id) && !inJournal.includes(id));
    expect(openEntries(session).filter(({ id }) => id === undefined).length).toBeGreaterThanOrEqual(unknown.length);
    session.cancel();
    const { env, folder } = session.stack;
    env["PULUMI_BACKEND_URL"] = `file://${folder}/./state/?no_tmp_dir=true`;
    env["CLOUDINFRA_BASE_URL"] = `${session.api.simulator.url.replace("127.0.0.1", "localhost")}/`;
    await namedBeside(session, succeeded(await session.up()));
    expect(session.kept()).toHaveLength(30);
    expect(await session.api.heldIds()).toEqual(expect.arrayContaining(made));
    succeeded(await session.stack.preview());
    // Each other entry is ended: the state has its object.
    expect(openEntries(session).filter(({ isSuperseded }) => !isSuperseded)).toEqual([]);
  });
});

it.each(FRONTS)(
  "when the project of %s has a backend whose url is commented out, the journal has that of pulumi login",
  async (front) => {
    const session = await Session.start(programOf(front, declare("FirewallRule", "https")));
    const { stack } = session;
    const url = stack.env["PULUMI_BACKEND_URL"]!;
    delete stack.env["PULUMI_BACKEND_URL"];
    succeeded(await stack.pulumi(["login", url]));
    const path = join(stack.folder, "Pulumi.yaml");
    const project = Object.entries(JSON.parse(readFileSync(path, "utf8")) as object);
    const comments = Array.from({ length: 40 }, () => "    # more of it");
    const lines = project.map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    writeFileSync(path, [...lines, "backend:", "  # url: s3://theirs", "", ...comments, ""].join("\n"));
    succeeded(await session.up());
    expect(openEntries(session)).toMatchObject([{ id: session.one("https").id, stack: { backend: url } }]);
    succeeded(await session.stack.preview());
    expect(openEntries(session)).toEqual([]);
  },
);
