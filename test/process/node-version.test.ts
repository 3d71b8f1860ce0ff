import { assertNodeVersion } from "../../src/process/node-version";

it.each(["22.19.0", "22.20.1", "24.0.0", "26.1.0"])("accepts Node %s", (version) => {
  expect(() => assertNodeVersion(version)).not.toThrow();
});

it.each(["20.20.2", "22.18.0", "18.0.0"])("rejects Node %s in one line", (version) => {
  let refusal: unknown;
  try {
    assertNodeVersion(version);
  } catch (error) {
    refusal = error;
  }
  const line = `pulumi-cloudinfra needs Node 22.19 or newer, and this is Node ${version}. Install a newer Node from https://nodejs.org or with your version manager, and run again. Or run \`npm install node@24\` in the project, and put node_modules/.bin first on the PATH.`;
  expect(refusal).toMatchObject({ message: line, stack: line });
});
