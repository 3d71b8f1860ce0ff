const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { homepage } = require("../../package.json");

const GUIDE = readFileSync(join(__dirname, "../../docs/native.md"), "utf8");

/** The README of each SDK, with the example of docs/native.md if it has one. */
const SDK_READMES = {
  go: readmeOf("Go", "Run `go mod tidy` after you have named this module in `go.mod`.", exampleIn("go")),
  nodejs: readmeOf(
    "TypeScript and JavaScript",
    "`pulumi-cloudinfra/native` of the npm package `pulumi-cloudinfra` has the same classes, and narrower types.",
    '```ts\nimport * as cloudinfra from "pulumi-cloudinfra-sdk";\n\n' +
      'const data = new cloudinfra.Volume("data", { size: 100, type: "abs" });\n' +
      "export const perMonth = data.cost.apply((cost) => cost?.monthlyTotal);\n```",
  ),
  python: readmeOf("Python", "Install it with `pip install` and the path of this folder.", exampleIn("python")),
};

function readmeOf(language, installation, example) {
  return `${[
    `# The SDK of pulumi-cloudinfra for ${language}`,
    "The provider manages cloud infrastructure, and shows in the preview what each change costs a month.",
    installation,
    example,
    "The SDK needs the plugin `cloudinfra` of the same version. `plugins` in `Pulumi.yaml` says where it is, or " +
      "`npx cloudinfra plugin install` installs it.",
    `The guide to the provider in every language is \`docs/native.md\` of [the package](${homepage}).`,
  ].join("\n\n")}\n`;
}

function exampleIn(language) {
  const [example] = new RegExp(`^\`\`\`${language}\\n[^]*?^\`\`\`$`, "m").exec(GUIDE) ?? [];
  if (!example) throw new Error(`docs/native.md has no example in ${language}`);
  return example;
}

module.exports = { SDK_READMES };
