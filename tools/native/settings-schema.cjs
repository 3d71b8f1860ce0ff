const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { closed } = require("./type-schema.cjs");

/**
 * The comments before the keys of the configuration. Throws if a key has none.
 *
 * @returns {Record<string, string>}
 */
function settingDescriptions(root, keys) {
  const source = readFileSync(join(root, "src", "engine", "settings-list.ts"), "utf8");
  return Object.fromEntries(
    keys.map((key) => {
      const [, text] = new RegExp(`/\\*\\*[\\s*]+((?:(?!\\*/)[^])+?)\\s+\\*/\\s+${key}: `).exec(source) ?? [];
      if (!text) throw new Error(`${key} has no comment: say before it in src/engine/settings-list.ts what it is`);
      return [key, text.replaceAll(/\n\s*\* /g, " ")];
    }),
  );
}

/**
 * The settings of a provider, and the same as variables of the configuration. `types` gets the types that they refer
 * to.
 */
function settingsOf({ settings, descriptions, environmentName }, types) {
  const typeOf = (form) => {
    if (typeof form === "object") return closed(form, types);
    return { type: form === "switch" ? "boolean" : "string" };
  };
  const inputs = Object.fromEntries(
    Object.entries(settings).map(([key, { form, default: text }]) => [
      key,
      {
        ...typeOf(form),
        description: `${descriptions[key]}${text ? ` Default: \`${text}\`.` : ""} Environment: \`${environmentName(key)}\`.`,
        ...(key === "apiKey" && { secret: true }),
      },
    ]),
  );
  const defaultOf = ({ form, default: text }) => text && { default: form === "switch" ? text === "true" : text };
  // Not among the inputs of a provider: an SDK would read the environment, and the values would go into the state. Then
  // a later run would use them, and not its own environment. The plugin reads the environment at each run.
  const variables = Object.fromEntries(
    Object.entries(settings).map(([key, setting]) => [
      key,
      { ...inputs[key], ...defaultOf(setting), defaultInfo: { environment: [environmentName(key)] } },
    ]),
  );
  return { inputs, variables };
}

module.exports = { settingDescriptions, settingsOf };
