import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathInputs } from "../../src/definition/definition";
import { definitions } from "../../src/resources/registry";
import { descriptorOf } from "../kinds";
import { counts, failed, succeeded } from "./support/output";
import { basicsOf } from "./support/programs";
import { Session } from "./support/session";
import { describeYaml } from "./support/yaml";

describeYaml("an import file with one object of each kind", () => {
  it("imports all kinds with code that previews no change at the API", async () => {
    const resources = definitions.map(({ type }): [string, object] => [
      descriptorOf(type).name,
      { type: `cloudinfra:index:${type}`, properties: basicsOf(type) },
    ]);
    const owner = await Session.start({ resources: Object.fromEntries(resources) });
    succeeded(await owner.up());

    const importer = await Session.start({ resources: {} }, { api: owner.api });
    const { stack } = importer;
    const file = definitions.map((definition) => {
      const { name } = descriptorOf(definition.type);
      const { id, outputs } = owner.one(name);
      const ids = [...pathInputs(definition).map((input) => String(outputs[input])), id];
      return { type: `cloudinfra:index:${definition.type}`, name, id: ids.join("/") };
    });
    writeFileSync(join(stack.folder, "import.json"), JSON.stringify({ resources: file }));
    const imported = succeeded(
      await stack.pulumi(["import", "--file", "import.json", "--out", "imported.yaml", "--yes", "--skip-preview"]),
    );
    // Of two objects, on the row and below.
    expect(imported.match(/imported inputs failed to validate/g)).toHaveLength(4);

    expect(importer.one("link").outputs["cost"]).toMatchObject({ monthlyTotal: "78.125" });
    const printed = readFileSync(join(stack.folder, "imported.yaml"), "utf8");
    // The API never shows the account of a connection, nor the image and the SSH key of a VM. People fill them in.
    expect(printed.match(/: ""$/gm)).toHaveLength(3);
    const { accountId } = basicsOf("ConnectConnection")["externalProvider"] as { readonly accountId: string };
    const { osImageName, sshKey } = basicsOf("Vm") as Readonly<{ osImageName: string; sshKey: { publicKey: string } }>;
    const project = readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8");
    // JSON is YAML: the project without its resources, then the generated code.
    const rest = Object.entries(JSON.parse(project) as object).filter(([key]) => key !== "resources");
    const lines = rest.map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    writeFileSync(join(stack.folder, "Pulumi.yaml"), [...lines, printed].join("\n"));
    const refused = failed(await stack.preview());
    expect(refused).toMatch(/osImageName.*is empty: write the name of the image|accountId.*must have exactly 12/);
    const code = printed
      .replace('accountId: ""', `accountId: "${accountId}"`)
      .replace('osImageName: ""', `osImageName: ${osImageName}`)
      .replace('publicKey: ""', `publicKey: ${sshKey.publicKey}`);
    writeFileSync(join(stack.folder, "Pulumi.yaml"), [...lines, code].join("\n"));
    const preview = succeeded(await stack.preview());
    // Only the state changes: it gets the account of the connection, and the image and key of the VM.
    expect(preview).toContain("web update [diff: +osImageName,sshKey]");
    expect(preview).toContain("link update [diff: ~externalProvider]");
    expect(preview).not.toContain("cost unknown");
    expect(counts(preview)).toEqual(["~ 2 to update", `${definitions.length - 1} unchanged`]);
    const { result, requests } = await importer.api.during(() => stack.up());
    succeeded(result);
    expect(requests.filter((request) => /^(POST|PATCH|DELETE)/.test(request) && !request.endsWith("/cost"))).toEqual(
      [],
    );
    expect(counts(succeeded(await stack.preview()))).toEqual([`${definitions.length + 1} unchanged`]);

    // From now on, another image replaces the VM, and another account replaces the connection.
    const other = readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8")
      .replace(osImageName, "debian-trixie-2026-01-12")
      .replace(accountId, "210987654321");
    writeFileSync(join(stack.folder, "Pulumi.yaml"), other);
    expect(counts(failed(await stack.preview()))).toContain("+-2 to replace"); // which they are protected from
  });
});
