import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pulumiBackend } from "../../src/journal/address";
import { folderForSuite } from "../support/suite";

describe("Pulumi's backend", () => {
  const folder = folderForSuite("pulumi");

  it("prefers the environment", () => {
    expect(pulumiBackend({ PULUMI_BACKEND_URL: "s3://bucket", PULUMI_HOME: folder }).url).toBe("s3://bucket");
  });

  it("shows the backend of pulumi login, without its token", () => {
    const credentials = { current: "https://api.pulumi.com", accessTokens: { "https://api.pulumi.com": "secret" } };
    writeFileSync(join(folder, "credentials.json"), JSON.stringify(credentials));
    expect(pulumiBackend({ PULUMI_HOME: folder }, folder).url).toBe("https://api.pulumi.com");
  });

  it("has no backend if nobody has logged in", () => {
    expect(pulumiBackend({ PULUMI_HOME: join(folder, "none") }, folder).url).toBe("");
  });

  it("prefers the project's backend to that of pulumi login", () => {
    const below = join(folder, "project", "src");
    mkdirSync(below, { recursive: true });
    writeFileSync(
      join(folder, "project", "Pulumi.yaml"),
      "name: x\nbackend:\n  url: file://./state\nruntime: nodejs\n",
    );
    expect(pulumiBackend({ PULUMI_HOME: folder }, below)).toEqual({
      url: "file://./state",
      folder: join(folder, "project"),
    });
  });

  const keys = Array.from({ length: 16 }, (_, nth) => `    key${nth}: value\n`).join("");
  it.each([
    ["commented out, before indented lines", `name: x\nbackend:\n  # url: file:///a\n\n  other:\n${keys}`, ""],
    ["of another key", "name: x\nbackend:\n  other:\n    url: file:///b\n", ""],
    ["empty", 'name: x\nbackend:\n  url: ""\n', ""],
    ["in one line", `name: x\nbackend: { url: 'file:///c' } # here\n`, "file:///c"],
    ["in a file that is no YAML", "name: x\nbackend: {\n  url: file:///d\n}}\n", ""],
    ["with an unknown tag", "name: x\nbackend: !ours\n  url: file:///e\n", "file:///e"],
  ])("reads the backend URL in Pulumi.yaml: %s", (_case, text, url) => {
    const project = mkdtempSync(join(folder, "of-"));
    writeFileSync(join(project, "Pulumi.yaml"), text);
    expect(pulumiBackend({ PULUMI_HOME: join(folder, "none") }, project).url).toBe(url);
  });

  it("resolves a path from the folder of Pulumi.yaml", () => {
    expect(pulumiBackend({ PULUMI_BACKEND_URL: "file://./state" }, folder)).toEqual({ url: "file://./state", folder });
  });
});
