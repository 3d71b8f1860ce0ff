import {
  flagsOf,
  printsDebugMessages,
  runsDestroy,
  runsPreview,
  runsReplacementOf,
  runsWithout,
  runsWithoutDependent,
  runsWithoutDependents,
} from "../../src/process/cli-process";

describe.each<[string, (lines: string[][]) => boolean, { readonly true: string[]; readonly false: string[] }]>([
  [
    "destroy",
    runsDestroy,
    {
      true: [
        "destroy --yes",
        "down -y",
        "dn",
        "-C infra destroy",
        "--non-interactive -v 3 --color=never destroy",
        "-s dev -yf destroy",
      ],
      false: ["up --message destroy", "up -s destroy", "-C destroy up", "--stack down up", "refresh"],
    },
  ],
  [
    "preview",
    runsPreview,
    { true: ["preview --diff", "pre", "-Q --cwd infra preview"], false: ["up -s preview", "--cwd preview up", "up"] },
  ],
])("the command %s", (_, isCommand, cases) => {
  it.each(cases.true)("pulumi %s", (line) => {
    expect(isCommand([["pulumi", ...line.split(" "), ""]])).toBe(true);
  });

  it.each(cases.false)("not pulumi %s", (line) => {
    expect(isCommand([["pulumi", ...line.split(" "), ""]])).toBe(false);
  });
});

const net = "urn:pulumi:dev::test::cloudinfra:index:Vpc::net";
const targets = ["--target urn", "--target=urn", "-t urn", "-yt urn", "-y -turn"];

describe.each<[string, (lines: string[][]) => boolean, { readonly true: string[]; readonly false: string[] }]>([
  [
    "debug messages",
    printsDebugMessages,
    {
      true: ["--debug", "--debug=true", "-d", "-yd", "-dfy"],
      false: ["--debug=false", "--diff", "-y", "-sdev", "debug", "--debug-provider"],
    },
  ],
  [
    "an update without dependents",
    runsWithoutDependents,
    {
      true: targets,
      false: [
        ...targets.map((flags) => `${flags} --target-dependents`),
        ...["--target-replace urn", "--targets urn", "--exclude urn", "-stest urn", "-y urn"],
      ],
    },
  ],
  [
    "a replacement of urn:a or urn:x::a",
    (lines) => ["urn:a", "urn:x::a"].some((urn) => runsReplacementOf(urn, lines)),
    { true: ["--replace **::a", "--target-replace=urn:a"], false: ["--replace urn:b --target **::a"] },
  ],
  [
    `an update without ${net}`,
    (lines) => runsWithout(net, lines),
    {
      true: [
        "--target urn:pulumi:dev::test::cloudinfra:index:Vpc::other",
        `-yt ${net}work`,
        "--target=*::net",
        "--target-replace **::other",
        `--exclude ${net}`,
        "--exclude=**t",
        `-x ${net}`,
        `-yx${net}`,
      ],
      false: [
        `--target **::other -t ${net}`,
        "--target=**::net",
        "--target urn:*:dev::*::cloudinfra:*:Vpc::n*",
        `--target-replace ${net}`,
        `--exclude ${net}work`,
        "--exclude-dependents --targets urn",
      ],
    },
  ],
  [
    `an update without the dependent ${net}`,
    (lines) => runsWithoutDependent(net, lines),
    {
      true: ["--target **::other", "--exclude **::net"],
      false: ["--target **::net", "--target **::other --target-dependents", "--replace **::other"],
    },
  ],
])("the flags of %s", (_title, asks, flags) => {
  const lineOf = (text: string): string[][] => [["pulumi", "up", ...text.split(" "), ""]];

  it.each(flags.true)("recognizes %s", (text) => expect(asks(lineOf(text))).toBe(true));

  it.each(flags.false)("does not recognize %s", (text) => expect(asks(lineOf(text))).toBe(false));
});

it("reads the flags that variables give the CLI", () => {
  expect(
    flagsOf({
      PULUMI_OPTION_TARGET: `"**::o""ther",${net}`,
      PULUMI_OPTION_TARGET_REPLACE: "urn",
      PULUMI_OPTION_TARGET_DEPENDENTS: "True",
      PULUMI_OPTION_DEBUG: "0",
      PULUMI_OPTION_EXCLUDE: "",
    }),
  ).toEqual(["--target-dependents", `--target=**::o"ther`, `--target=${net}`, "--target-replace=urn"]);
});

it.each([["--target-dependents=false"], ["--target-dependents"], ["--debug=false"]])(
  "an argument %s counts, and not the variable",
  (arg) => {
    const environment = { PULUMI_OPTION_TARGET_DEPENDENTS: "true", PULUMI_OPTION_DEBUG: "true" };
    const [flag = ""] = arg.split("=");
    expect(flagsOf(environment, ["pulumi", "up", arg])).not.toContain(flag);
    expect(flagsOf(environment, ["pulumi", "up", `${flag}-x`])).toContain(flag);
  },
);
