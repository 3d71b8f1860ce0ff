// Started by download-engine.mjs as its own process: `install-release.cjs <folder> <version>` puts Pulumi's official
// release into the folder.
const { PulumiCommand } = require("@pulumi/pulumi/automation/cmd");

const [root, version] = process.argv.slice(2);
// Its own check compares with the version of the SDK, which is another.
PulumiCommand.install({ root, version, skipVersionCheck: true }).catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
