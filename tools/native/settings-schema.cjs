const { readFileSync } = require("node:fs");
const { join } = require("node:path");

/** The comments before the keys of the configuration. Throws if a key has none. */
function settingDescriptions(root, keys) {
  const source = readFileSync(join(root, "src", "config-keys.ts"), "utf8");
  return Object.fromEntries(
    keys.map((key) => {
      const [, text] = new RegExp(`/\\*\\* (.+) \\*/\\s+"${key}",`).exec(source) ?? [];
      if (!text) throw new Error(`${key} has no comment: say before it in src/config-keys.ts what it is`);
      return [key, text];
    }),
  );
}

/** The settings of a provider, and the same as variables of the configuration. */
function settingsOf({ keys, switches, descriptions, environmentName }) {
  const inputs = Object.fromEntries(
    keys.map((key) => [
      key,
      {
        type: switches.includes(key) ? "boolean" : "string",
        description: `${descriptions[key]} Environment: \`${environmentName(key)}\`.`,
        ...(key === "apiKey" && { secret: true }),
      },
    ]),
  );
  // Not among the inputs of a provider: an SDK would read the environment, and the values would go into the state. Then a later run
  // would use them, and not its own environment. The plugin reads the environment at each run.
  const variables = Object.fromEntries(
    keys.map((key) => [key, { ...inputs[key], defaultInfo: { environment: [environmentName(key)] } }]),
  );
  return { inputs, variables };
}

module.exports = { settingDescriptions, settingsOf };
