import { Sandbox } from "./sandbox";

let sandbox: Sandbox;
beforeEach(() => (sandbox = new Sandbox()));
afterEach(() => sandbox.remove());

const frame = (functionName: string, url: string) => ({ functionName, url });

function summarized(name: string, profile: object): Promise<unknown> {
  return sandbox.value(
    `import { ${name} } from "@/bench/profile/summary.mjs";`,
    `${name}(${JSON.stringify(profile)}, "/clone")`,
  );
}

describe("the summary of a profile", () => {
  it("when it is of processor time, idle time is left out, and what runs beneath a place counts for it once", async () => {
    const profile = {
      nodes: [
        { id: 1, callFrame: frame("(root)", ""), children: [2, 3, 7] },
        { id: 2, callFrame: frame("(idle)", "") },
        { id: 3, callFrame: frame("check", "file:///clone/dist/lifecycle/check.js"), children: [4] },
        { id: 4, callFrame: frame("parse", "/clone/node_modules/zod/v4/core.js"), children: [5, 6] },
        { id: 5, callFrame: frame("refine", "file:///clone/dist/dynamic/fields.js"), children: [] },
        { id: 6, callFrame: frame("parse", "/clone/node_modules/zod/v4/core.js") },
        { id: 7, callFrame: frame("(garbage collector)", "") },
      ],
      samples: [2, 3, 4, 5, 6, 7],
      timeDeltas: [9000, 1000, 2000, 3000, 4000, 5000],
    };
    expect(await summarized("summarizeCpu", profile)).toEqual({
      total: 15,
      places: [
        { name: "zod", self: 6, inclusive: 9 },
        { name: "(garbage collector)", self: 5, inclusive: 5 },
        { name: "this package", self: 4, inclusive: 10 },
        { name: "dist/dynamic/fields.js", self: 3, inclusive: 3 },
        { name: "dist/lifecycle/check.js", self: 1, inclusive: 10 },
      ],
      functions: [
        { name: "parse, zod", self: 6 },
        { name: "(garbage collector)", self: 5 },
        { name: "refine, dist/dynamic/fields.js", self: 3 },
        { name: "check, dist/lifecycle/check.js", self: 1 },
      ],
    });
  });

  it("when it is of allocations, bytes are told apart by package, Node's own modules, and code without a file", async () => {
    const of = (name: string, url: string, selfSize: number, children: object[] = []): object => ({
      ...{ callFrame: frame(name, url), selfSize, children },
    });
    const head = of("(root)", "", 0, [
      of("", "node:internal/modules/cjs/loader", 40, [of("read", "", 30)]),
      of("Struct", "/clone/node_modules/@pulumi/pulumi/proto/struct.js", 20),
      of("program", "/home/somebody/index.js", 10),
    ]);
    expect(await summarized("summarizeHeap", { head })).toEqual({
      total: 100,
      places: [
        { name: "node", self: 40, inclusive: 70 },
        { name: "native code", self: 30, inclusive: 30 },
        { name: "@pulumi/pulumi", self: 20, inclusive: 20 },
        { name: "elsewhere", self: 10, inclusive: 10 },
      ],
      functions: [
        { name: "(anonymous), node", self: 40 },
        { name: "read, native code", self: 30 },
        { name: "Struct, @pulumi/pulumi", self: 20 },
        { name: "program, elsewhere", self: 10 },
      ],
    });
  });
});

describe("the tables of a profile", () => {
  it("when it is shown, the three largest are named, this package as a whole among them", async () => {
    const place = (name: string, self: number, inclusive: number) => ({ name, self, inclusive });
    const places = [
      place("zod", 40, 45),
      place("this package", 30, 90),
      place("dist/a.js", 30, 90),
      place("node", 20, 100),
      place("undici", 10, 10),
    ];
    const sums = { total: 100, places, functions: [{ name: "parse, zod", self: 40 }] };
    const { stdout } = await sandbox.evaluate(
      `import { profileTables } from "@/bench/profile/tables.mjs";`,
      `console.log(JSON.stringify(profileTables(${JSON.stringify({ resources: 2, cpu: sums, allocations: sums })})));`,
    );
    const [time, functions, bytes] = JSON.parse(stdout) as { note?: string; rows: string[][] }[];
    expect(time?.note).toBe("The three largest: zod, 40.0 %; this package, 30.0 %; node, 20.0 %.");
    expect(time?.rows).toContainEqual(["dist/a.js", "30 ms", "30.0 %", "90 ms", "90.0 %"]);
    expect(functions?.rows).toEqual([["parse, zod", "40 ms", "40.0 %"]]);
    expect(bytes?.rows).toContainEqual(["undici", "10 B", "10.0 %", "10 B", "10.0 %"]);
  });
});
