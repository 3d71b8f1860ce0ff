import { SEEDED } from "../kinds";
import { cloudinfra } from "./support/command";
import { failed, succeeded } from "./support/output";
import { declare, FRONTS, NATIVE, programOf } from "./support/programs";
import { Session } from "./support/session";

const statements = [
  declare("Volume", "data"),
  declare("ApiKey", "reader", { permissions: [{ resourceType: "vm", permission: "read" }] }),
  `module.exports = { networks: cloudinfra.getVpcsOutput().length };`,
];

it("reports that a new provider's key could not be checked", async () => {
  const other = declare("Volume", "there", {}, "{ provider: other }");
  const provider = `const other = new cloudinfra.Provider("other", { apiKey: process.env.CLOUDINFRA_API_KEY });`;
  const session = await Session.start(programOf(NATIVE, declare("Volume", "data"), provider, other));
  const { code, stdout } = await cloudinfra(session, ["permissions", "--check"]);
  expect(stdout).toMatch(/^permission +key +needed by\nvolume:edit +has it +Volume data\n/);
  expect(stdout).toMatch(
    /\nThe key of the provider other:\npermission +needed by\nvolume:edit +Volume there\n.*\nThe key could not be checked: The state does not have the provider "other"\. If it is new, run `pulumi up` first\.\n/,
  );
  expect(code).toBe(1);
});

describe.each(FRONTS)("cloudinfra permissions for a program of %s", (front) => {
  it("lists only the permissions that a key needs", async () => {
    const session = await Session.start(programOf(front, ...statements));
    const { code, stdout } = await cloudinfra(session, ["permissions"]);
    expect(code).toBe(0);
    expect(stdout).toBe(`permission    needed by
vm:read       ApiKey reader
vpc:read      getVpcs
volume:edit   Volume data
api_key:edit  ApiKey reader
The key must reach the project ${session.api.simulator.projectId}.
audit_log:read lets a run after an interruption find what it made. With api_key:read, it also shows a preview when the key expires. usage:read shows the organization's bill.
`);

    const listed = JSON.parse((await cloudinfra(session, ["permissions", "--format", "json"])).stdout) as {
      resourceType: string;
      permission: string;
    }[];
    const keyOf = async (permissions: typeof listed): Promise<string> => {
      const { key } = await session.api.call("POST", "/v1/api_keys", {
        name: "least",
        project_ids: [session.api.simulator.projectId],
        expires_at: new Date(Date.now() + 86_400_000).toISOString(),
        permissions: permissions.map(({ resourceType, permission }) => ({ resource_type: resourceType, permission })),
      });
      return String(key);
    };
    const checked = async (...permissions: typeof listed): Promise<readonly (number | string)[]> => {
      session.stack.env["CLOUDINFRA_API_KEY"] = await keyOf(permissions);
      const { code, stdout: table } = await cloudinfra(session, ["permissions", "--check"]);
      return [code, ...(table.match(/^\w+:\w+ +(has|lacks) it|^It reaches .*/gm) ?? [])];
    };
    const held = ["vm:read       has it", "vpc:read      has it", "volume:edit   has it", "api_key:edit  has it"];
    const all = [...held, `It reaches ${session.api.simulator.projectId}.`];
    expect(await checked(...listed)).toEqual([0, ...all]);
    session.stack.env["CLOUDINFRA_API_KEY"] = await keyOf([{ resourceType: "vpc", permission: "read" }]);
    const lacking = await cloudinfra(session, ["permissions", "--check", "--format", "json"]);
    expect([lacking.code, JSON.parse(lacking.stdout)]).toEqual([8, listed]);
    expect(lacking.stderr).toMatch(/^volume:edit +lacks it/m);
    await session.stack.setConfig("cloudinfra:permissions", "fail");
    const others = listed.filter(({ resourceType }) => resourceType !== "volume");
    expect(await checked(...others)).toEqual([8, ...all.map((line) => line.replace(/(volume.*)has/, "$1lacks"))]);
    expect(failed(await session.up())).toContain("403");
    session.stack.env["CLOUDINFRA_API_KEY"] = await keyOf(listed);
    succeeded(await session.up());
    succeeded(await session.destroy());
  });

  it("names projects that the key does not reach", async () => {
    const session = await Session.start(programOf(front, declare("Volume", "data"), declare("Project", "shop")));
    const { projectId } = session.api.simulator;
    const { organization_id } = await session.api.call("GET", `/v1/projects/${projectId}`);
    const { id } = await session.api.call("POST", "/v1/projects", { name: "other", organization_id });
    const checkedAs = async (resourceType: string): Promise<readonly unknown[]> => {
      const { key } = await session.api.call("POST", "/v1/api_keys", {
        ...{ name: "elsewhere", project_ids: [id], expires_at: new Date(Date.now() + 86_400_000).toISOString() },
        permissions: [{ resource_type: resourceType, permission: "edit" }],
      });
      session.stack.env["CLOUDINFRA_API_KEY"] = String(key);
      const { code, stdout } = await cloudinfra(session, ["permissions", "--check"]);
      return [code, stdout];
    };
    const [code, stdout] = await checkedAs("project");
    expect([code, stdout]).toEqual([8, expect.stringContaining(`\nAccess to ${projectId} could not be checked: `)]);
    expect(await checkedAs("volume")).toEqual([8, expect.stringContaining(`\nIt does not reach ${projectId}.\n`)]);
    expect(stdout).toContain("The key must also reach the new project shop: add it to the key once it is made.\n");
  });

  it("names permissions and projects that are secret", async () => {
    const secretProject = declare("ApiKey", "reader", { projectIds: [`=pulumi.secret("${SEEDED.projectId}")`] });
    const permission = `{ resourceType: "vm", permission: "edit" }`;
    const secretPermissions = declare("ApiKey", "editor", { permissions: `=pulumi.secret([${permission}])` });
    const session = await Session.start(programOf(front, secretProject, secretPermissions));
    const text = `The preview does not show permissions of ApiKey editor, projectIds of ApiKey reader (`;
    const checked = await cloudinfra(session, ["permissions", "--check"]);
    expect(checked.stdout).toContain(text);
    expect(checked.stdout).not.toContain("reaches [secret]");
    expect(checked.code).toBe(1);
    const listed = await cloudinfra(session, ["permissions", "--format", "json"]);
    expect(listed.stderr).toContain(text);
    expect(listed.code).toBe(0);
  });

  it("says that no permission shows the access to a project", async () => {
    const permissions = [{ resourceType: "usage", permission: "read" }];
    const session = await Session.start(programOf(front, declare("ApiKey", "reader", { permissions })));
    const { code, stdout } = await cloudinfra(session, ["permissions", "--check"]);
    expect(stdout).toMatch(/^Access to .* could not be checked: none of the permissions above allows listing/m);
    expect(code).toBe(0);
  });

  it("says that a project that does not exist could not be checked", async () => {
    const session = await Session.start(programOf(front, declare("Volume", "data", { projectId: "nowhere" })));
    await session.stack.setConfig("cloudinfra:preflight", "off");
    const { code, stdout } = await cloudinfra(session, ["permissions", "--check"]);
    expect(stdout).toMatch(/^Access to nowhere could not be checked: .* 400 /m);
    expect(code).toBe(1);
  });
});
