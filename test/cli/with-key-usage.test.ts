import { runCli } from "./support";

it.each([
  ["vms:read", "did you mean vm:read?"],
  ["vm:raed", "did you mean vm:read?"],
  ["api-key:Edit", "did you mean api_key:edit?"],
  ["vm:read,volumes:edit", "did you mean volume:edit?"],
  ["vm:write", "write vm:read or vm:edit."],
  ["vm", "write vm:read or vm:edit."],
  ["machines:read", "write <type>:read or <type>:edit, with one of the types vm, vpc, "],
])("with-key --permissions %s says what is meant", async (list, advice) => {
  const { code, stderr } = await runCli(["with-key", "--permissions", list, "--for", "15m", "--", "true"]);
  expect(code).toBe(2);
  expect(stderr).toContain(`" is no permission: ${advice}`);
});
