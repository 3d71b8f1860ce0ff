const { homepage, license, repository } = require("../../package.json");
const { classSchema } = require("./class-schema.cjs");
const { withExample } = require("./example-usage.cjs");
const { functionSchemas } = require("./function-schemas.cjs");
const { GO_MODULE } = require("./go-example.cjs");
const { resourceOf } = require("./resource-schema.cjs");
const { SDK_READMES } = require("./sdk-readmes.cjs");
const { settingsOf } = require("./settings-schema.cjs");
const { map, MODULE } = require("./type-schema.cjs");

/** What the generators of SDKs have to know. An SDK has the version of the plugin that it is made for. */
const LANGUAGES = {
  csharp: { rootNamespace: "PulumiCloudinfra", respectSchemaVersion: true },
  go: {
    importBasePath: GO_MODULE,
    modulePath: GO_MODULE,
    generateResourceContainerTypes: true,
    respectSchemaVersion: true,
  },
  java: { basePackage: "com.pulumicloudinfra" },
  nodejs: {
    packageName: "pulumi-cloudinfra-sdk",
    typescriptVersion: "^5.9.0",
    readme: SDK_READMES.nodejs,
    respectSchemaVersion: true,
  },
  python: {
    packageName: "pulumi_cloudinfra",
    requires: { pulumi: ">=3.165.0,<4.0.0" },
    pythonRequires: ">=3.10",
    pyproject: { enabled: true },
    inputTypes: "classes-and-dicts",
    readme: SDK_READMES.python,
    respectSchemaVersion: true,
  },
};

/**
 * The package schema of the first-class provider, from the definitions and their comments: what `pulumi package
 * get-schema` prints, and what SDKs are generated from.
 */
function packageSchema({ definitions, lookups, classes, descriptions, settings, version }) {
  const types = {};
  const resources = Object.fromEntries(
    definitions.map((definition) => [
      `${MODULE}:${definition.type}`,
      resourceOf(definition, descriptions[definition.type], types),
    ]),
  );
  for (const described of classes)
    resources[`${MODULE}:${described.name}`] = classSchema(described, types, { definitions, descriptions });
  const { inputs, variables } = settingsOf(settings, types);
  const schema = {
    name: "cloudinfra",
    displayName: "Cloud Infrastructure",
    version,
    description: "Manages cloud infrastructure, and shows in the preview what each change costs a month.",
    keywords: ["category/cloud", "kind/native"],
    homepage,
    repository: repository.url.replace(/^git\+|\.git$/g, ""),
    license,
    config: { variables },
    provider: {
      description: "The settings of one account. Without an explicit provider, those of the stack count.",
      inputProperties: inputs,
    },
    types,
    resources,
    functions: functionSchemas(lookups, descriptions, types),
    language: LANGUAGES,
  };
  return {
    ...schema,
    types: sorted(types),
    resources: withExamples(schema.resources, schema),
    functions: withExamples(schema.functions, schema),
  };
}

function withExamples(described, schema) {
  return map(described, (_, each) => withExample(each, schema));
}

function sorted(types) {
  return Object.fromEntries(Object.entries(types).sort(([a], [b]) => (a < b ? -1 : 1)));
}

module.exports = { packageSchema };
