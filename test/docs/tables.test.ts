import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dialects } from "../../src/api/dialect";
import { processIo } from "../../src/cli/io";
import { main } from "../../src/cli/main";
import { CONFIG_KEYS, environmentName, readSettings, type ConfigReader } from "../../src/settings/config";
import { outputNames } from "../../src/definition/definition";
import { definitions } from "../../src/resources/registry";
import * as cloudinfra from "../../src";
import { faultEffects } from "../../src/simulator/schemas/faults";
import { settingDescriptions } from "../../tools/native/settings-schema.cjs";
import { markedText, pageText, ROOT, tableAfter } from "./support/markdown";

const LINK = /\[([^\]]+)\]\([^)]+\)/g;

/** A configuration with these values and the required ones. */
function given(values: Readonly<Record<string, string>>): ConfigReader {
  const all: Readonly<Record<string, string>> = { baseUrl: "https://api.example", apiKey: "k", ...values };
  return (key) => all[key];
}

describe("docs/configuration.md", () => {
  const rows = tableAfter("docs/configuration.md", "config");

  it("lists every key with its environment variable", () => {
    expect(rows.map(([key, twin]) => [key, twin])).toEqual(CONFIG_KEYS.map((key) => [key, environmentName(key)]));
  });

  it("describes each key as the package schema does", () => {
    const documented = rows.map(([key, , , text = ""]): [string | undefined, string] => [
      key,
      text.replaceAll(LINK, "$1"),
    ]);
    const comments = Object.entries(settingDescriptions(ROOT, CONFIG_KEYS));
    expect(documented).toEqual(comments.map(([key, text]) => [key, text.replaceAll("`", "")]));
  });

  it("documents the actual default of each setting", () => {
    const documented = rows.map(([key = "", , text = ""]): [string, string] => [key, text]);
    const spelled = documented.filter(([, text]) => !/^none|^by /.test(text));
    const settings = readSettings(given({}), {});
    expect(readSettings(given(Object.fromEntries(spelled)), {})).toEqual(settings);
    expect([settings.projectId, settings.region]).toEqual([undefined, undefined]);
  });
});

describe("docs/from-terraform.md", () => {
  const named = Array.from(
    pageText("docs/from-terraform.md").matchAll(/<!-- from terraform: (\w+) -->/g),
    ([, type = ""]) => type,
  );

  it.each(named)("lists each argument and output of %s once", (type) => {
    const definition = definitions.find((candidate) => candidate.type === type);
    const rows = tableAfter("docs/from-terraform.md", `from terraform: ${type}`).map(([, here]) => here);
    const names = definition ? outputNames(definition) : [];
    expect(rows.sort()).toEqual(names.filter((name) => name !== "cost").sort());
  });

  it("lists each of the 25 data sources", () => {
    const rows = tableAfter("docs/from-terraform.md", "data sources of terraform");
    expect(new Set(rows.map(([theirs]) => theirs)).size).toBe(25);
    for (const [, here = ""] of rows) {
      const [name = "", member] = here.split(".");
      const found = (cloudinfra as Readonly<Record<string, unknown>>)[name];
      expect(typeof (member === undefined ? found : (found as Readonly<Record<string, unknown>>)[member])).toBe(
        "function",
      );
    }
  });
});

it("CHANGELOG.md has a line about each kind", () => {
  const changelog = pageText("CHANGELOG.md");
  const missing = definitions.filter(({ type }) => !changelog.includes(`\`${type}\``));
  expect({ "kinds that CHANGELOG.md lacks": missing.map(({ type }) => type) }).toEqual({
    "kinds that CHANGELOG.md lacks": [],
  });
});

it("docs/functions.md has every function", () => {
  const twins = Object.keys(cloudinfra).filter((name) => name.endsWith("Output"));
  const functions = tableAfter("docs/functions.md", "functions").map(([name]) => `${name}Output`);
  expect(functions.sort()).toEqual(twins.sort());
});

it("docs/errors.md has exactly the codes of the sources", () => {
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.startsWith("simulator"))
    .map((name) => readFileSync(join(ROOT, "src", name), "utf8"));
  const codes = sources.flatMap((text) =>
    Array.from(text.matchAll(/\bcode(?:: string)? = "([A-Z_]+)"/g), ([, code]) => code),
  );
  expect(
    tableAfter("docs/errors.md", "codes")
      .map(([code]) => code)
      .sort(),
  ).toEqual([...new Set(codes)].sort());
});

/** The flags in the help of a command. */
async function flagsOf(command: string): Promise<string[]> {
  let help = "";
  const stdout = { write: (text: string) => (help += text), columns: 500 };
  await main([command, "--help"], { ...processIo(), stdout });
  const flags = Array.from(help.matchAll(/^ {2}((?:-\w, )?--.*?) {2}/gm), ([, flag = ""]) => flag);
  return flags.filter((flag) => !/^-[Vh],/.test(flag));
}

it("docs/simulator.md has every option of the command, in its order", async () => {
  expect(tableAfter("docs/simulator.md", "flags").map(([flag]) => flag)).toEqual(await flagsOf("simulator"));
});

it.each([
  ["docs/cost.md", "cost"],
  ["docs/rotation.md", "rotate"],
])("%s has every flag of cloudinfra %s", async (page, command) => {
  const flags = await flagsOf(command);
  expect(tableAfter(page, `${command} flags`).map(([flag]) => flag)).toEqual(expect.arrayContaining(flags));
  expect(flags.length).toBeGreaterThan(0);
});

it("docs/simulator.md has every effect of a fault", () => {
  expect(tableAfter("docs/simulator.md", "faults").map(([name]) => name)).toEqual(Object.keys(faultEffects));
});

it("docs/limits.md names the differences between dialects", () => {
  const rows = tableAfter("docs/limits.md", "dialects");
  const named = Object.entries(dialects.nirvana.wireNames);
  const unquoted = definitions.filter(({ unquotedIn }) => unquotedIn?.includes("nirvana"));
  expect(rows.slice(0, named.length).map(([, ...names]) => names)).toEqual(named);
  expect(rows.slice(named.length, named.length + unquoted.length)).toEqual(
    unquoted.map(({ nouns }) => [`Quotes for ${nouns}`, "yes", 'no: "no quote offered"']),
  );
});

it("the preview picture shows every line of the transcript", () => {
  const withoutSpaces = (text: string): string => text.replace(/\s+/g, "");
  const drawn = pageText("docs/preview.svg").replace(/<[^>]*>/g, "");
  const shown = drawn.split("\n").map(withoutSpaces);
  const [, transcript = ""] = markedText("docs/cost.md", "transcript: new").split("Diagnostics:");
  for (const line of transcript.split("\n").map(withoutSpaces)) expect(shown).toContain(line);
});

it("the picture shows costs only below the summary", () => {
  const drawn = pageText("docs/cost-summary.svg").replace(/<[^>]*>/g, "");
  const [rows = "", summary = ""] = drawn.split("Diagnostics:");
  expect(rows).not.toMatch(/\$|message/);
  expect(summary.match(/cloudinfra:\w+\s*\(\S+\):/g)).toEqual([expect.stringContaining("CostSummary")]);
});
