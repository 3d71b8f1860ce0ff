import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathInputs } from "../../src/definition/definition";
import { definitions } from "../../src/resources/registry";
import { descriptorOf } from "../kinds";
import { describeWithHost } from "./support/languages/hosts";
import { counts, succeeded } from "./support/output";
import { basicsOf } from "./support/programs";
import { Session } from "./support/session";

jest.setTimeout(400_000);
afterAll(() => Session.closeAll());

// The API shows neither the image nor the SSH key of a VM, so the first value of a program would replace it: VMs are adopted.
const imported = definitions.filter(({ type }) => type !== "Vm");

describeWithHost("yaml")("an import file with one object of each kind", () => {
  it("when it is imported, the generated code previews without a change at the API once the account is filled in", async () => {
    const resources = imported.map(({ type }): [string, object] => [
      descriptorOf(type).name,
      { type: `cloudinfra:index:${type}`, properties: basicsOf(type) },
    ]);
    const owner = await Session.start({ resources: Object.fromEntries(resources) });
    succeeded(await owner.up());

    const importer = await Session.start({ resources: {} }, { api: owner.api });
    const { stack } = importer;
    const file = imported.map((definition) => {
      const { name } = descriptorOf(definition.type);
      const { id, outputs } = owner.one(name);
      const ids = [...pathInputs(definition).map((input) => String(outputs[input])), id];
      return { type: `cloudinfra:index:${definition.type}`, name, id: ids.join("/") };
    });
    writeFileSync(join(stack.folder, "import.json"), JSON.stringify({ resources: file }));
    succeeded(
      await stack.pulumi(["import", "--file", "import.json", "--out", "imported.yaml", "--yes", "--skip-preview"]),
    );

    const printed = readFileSync(join(stack.folder, "imported.yaml"), "utf8");
    // The API never shows the account of a connection, and a program has to name it: people fill it in.
    const { accountId } = basicsOf("ConnectConnection")["externalProvider"] as { readonly accountId: string };
    expect(printed.match(/: ""$/gm)).toHaveLength(1);
    const code = printed.replace('accountId: ""', `accountId: "${accountId}"`);
    const project = readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8");
    // JSON is YAML: what the project says but its resources, and the generated code behind it.
    const rest = Object.entries(JSON.parse(project) as object).filter(([key]) => key !== "resources");
    const lines = rest.map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    writeFileSync(join(stack.folder, "Pulumi.yaml"), [...lines, code].join("\n"));
    const preview = succeeded(await stack.preview());
    // Only the state has it, which learns the default: nothing changes at the API.
    expect(preview).toContain("cluster update [diff: +replaceOnVersionChange]");
    expect(counts(preview)).toEqual(["~ 1 to update", `${imported.length} unchanged`]);
  });
});
