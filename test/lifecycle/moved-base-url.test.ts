import { addressOf, pulumiBackend } from "../../src/journal/address";
import type { JournalEntry, StackAddress } from "../../src/journal/entry";
import { journalEntry } from "../support/journal-entry";
import { sent, startRun, urnOf, withFacts } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { World } from "../support/world";
import { sampleOf } from "../kinds";

const ADDRESS = "http://127.0.0.1:9";
const volume = sent("Volume", "data", sampleOf("Volume", { region: "us-sea-1", projectId: "p" }));

/** The inputs that an earlier run has left in the state. */
async function formerInputs(): Promise<Record<string, unknown>> {
  return (await startRun({ baseUrl: ADDRESS }).of("Volume").check({}, volume)).inputs;
}

it("warns once of an update at another base URL", async () => {
  const run = startRun({ baseUrl: "https://OTHER.example/" });
  const olds = await formerInputs();

  const { inputs } = await run.of("Volume").check(olds, volume);
  await run.of("Volume").check({ ...olds }, withFacts(volume, { urn: urnOf("Volume", "data-2") }));

  const warnings = run.lines.filter(({ severity }) => severity === "warning");
  expect(warnings).toEqual([
    {
      urn: "",
      severity: "warning",
      text: expect.stringMatching(
        /^The base URL changes from http:\/\/127\.0\.0\.1:9 to https:\/\/other\.example\. Nothing is replaced: .* use another stack\.$/,
      ) as string,
    },
  ]);
  expect(inputs["__baseUrl"]).toBe("https://other.example");
});

it.each([
  ["the same base URL in another spelling", { baseUrl: "http://localhost:9/" }, true],
  ["a state without a base URL", { baseUrl: "https://other.example" }, false],
])("does not warn of %s", async (_, config, isKept) => {
  const run = startRun(config);
  const { __baseUrl, ...rest } = await formerInputs();

  await run.of("Volume").check(isKept ? { ...rest, __baseUrl } : rest, volume);

  expect(run.lines).toEqual([]);
});

it("notes the base URL in a refresh without changes", async () => {
  const world = await World.start();
  const { id, inputs, outs, lifecycle } = await world.create("Volume");

  const found = await lifecycle.read(id, outs);

  expect(found.inputs?.["__baseUrl"]).toBe(world.simulator.url);
  expect([inputs["__baseUrl"], outs["__baseUrl"], found.props?.["__baseUrl"]]).toEqual([
    world.simulator.url,
    undefined,
    undefined,
  ]);
  await world.close();
});

describe("when a run was interrupted at another base URL", () => {
  const { url: backend, folder } = pulumiBackend({});
  const urn = urnOf("Volume", "data");

  const entryOf = (stack: Partial<StackAddress>, id?: string): JournalEntry => {
    const address = { backend, baseUrl: "https://old.example", project: "test", stack: "dev", ...stack };
    return journalEntry({
      stack: addressOf(address, folder),
      urn,
      type: "Volume",
      noun: "volume",
      name: "data-0123abc",
      id,
    });
  };

  async function journalOf(entry: JournalEntry): Promise<MemoryJournal> {
    const journal = new MemoryJournal();
    await journal.write(entry);
    return journal;
  }

  async function linesOf(journal: MemoryJournal): Promise<readonly string[]> {
    const run = startRun({ baseUrl: ADDRESS }, undefined, { journal });
    await run.of("Volume").check({}, volume);
    return run.texts();
  }

  it.each([
    ["another base URL", {}, ""],
    ["an explicit provider", { provider: "eu" }, ', provider "eu"'],
  ])("names an object once after a run with %s", async (_case, stack, named) => {
    const journal = await journalOf(entryOf(stack));
    expect(await linesOf(journal)).toEqual([
      expect.stringContaining(
        `volume "data" (if made, it is named "data-0123abc") in stack test/dev${named} at https://old.example.`,
      ),
    ]);
    expect(await linesOf(journal)).toEqual([]);
    expect(await startRun({ baseUrl: ADDRESS }, undefined, { journal }).run.journal.interrupted(urn)).toEqual([]);
  });

  it.each<[string, Partial<StackAddress>]>([
    ["another stack", { stack: "prod" }],
    ["another project", { project: "shop" }],
    ["another backend", { backend: "file:///elsewhere" }],
  ])("prints nothing after a run of %s", async (_case, stack) => {
    expect(await linesOf(await journalOf(entryOf(stack)))).toEqual([]);
  });

  it("an entry ends if the engine presents its id", async () => {
    const journal = await journalOf(entryOf({}, "0a"));
    const calls = startRun({ baseUrl: ADDRESS }, undefined, { journal }).of("Volume");
    await calls.check(volume, volume);
    await calls.diff("0a", volume, volume);
    expect(journal.entries).toEqual([]);
  });
});
