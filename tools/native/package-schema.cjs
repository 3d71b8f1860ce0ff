const MODULE = "cloudinfra:index";
const COST = `${MODULE}:Cost`;

const GO_MODULE = "github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdk/go/cloudinfra";

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
  nodejs: { packageName: "pulumi-cloudinfra-sdk", respectSchemaVersion: true },
  python: {
    packageName: "pulumi_cloudinfra",
    requires: { pulumi: ">=3.165.0,<4.0.0" },
    pythonRequires: ">=3.10",
    pyproject: { enabled: true },
    inputTypes: "classes-and-dicts",
    respectSchemaVersion: true,
  },
};

/**
 * The package schema of the first-class provider, from the definitions and their comments: what `pulumi package get-schema` prints,
 * and what SDKs are generated from.
 */
function packageSchema({ definitions, descriptions, configKeys, version }) {
  const types = { [COST]: costType, [`${MODULE}:UsageDimension`]: usageDimensionType };
  const resources = Object.fromEntries(
    definitions.map((definition) => [
      `${MODULE}:${definition.type}`,
      resourceOf(definition, descriptions[definition.type], types),
    ]),
  );
  const variables = Object.fromEntries(
    configKeys.map((key) => [key, { type: "string", ...(key === "apiKey" && { secret: true }) }]),
  );
  return {
    name: "cloudinfra",
    displayName: "Cloud Infrastructure",
    version,
    description: "Manages cloud infrastructure, and shows in the preview what each change costs a month.",
    keywords: ["category/cloud", "kind/native"],
    license: "Apache-2.0",
    config: { variables },
    provider: { inputProperties: variables },
    types: sorted(types),
    resources,
    language: LANGUAGES,
  };
}

function resourceOf(definition, description, types) {
  const { type, inputs, planned = {}, outputs } = definition;
  const property = (name, field, comment, forInput) => ({
    ...typeOf(field.type, `${type}${capital(name)}`, comment, types),
    description: textOf(`${type}.${name}`, comment),
    ...(field.secret === true && { secret: true }),
    ...(forInput && field.change === "replace" && { willReplaceOnChanges: true }),
  });
  const all = { ...inputs, ...planned, ...outputs };
  const comments = { ...description.inputs, ...description.planned, ...description.outputs };
  return {
    description: [description.text, ...description.remarks].join("\n\n"),
    inputProperties: {
      ...map(inputs, (name, field) => property(name, field, description.inputs[name], true)),
      adopt: adoptOf(definition),
    },
    requiredInputs: Object.keys(inputs).filter((name) => inputs[name].presence === "required"),
    properties: {
      ...map(all, (name, field) => property(name, field, comments[name], false)),
      cost: { $ref: `#/types/${COST}`, description: "What it costs a month. Known in preview." },
    },
    required: Object.keys(all).filter((name) => isAlwaysShown(all[name])),
    aliases: [{ type: `pulumi-nodejs:dynamic/cloudinfra:${type}` }],
  };
}

/** What is never shown may be absent after an adoption. */
function isAlwaysShown({ presence, shown }) {
  return presence !== "optional" && shown !== "never" && shown !== "maybe";
}

function adoptOf({ noun, outputs }) {
  const hasSecret = Object.values(outputs).some(({ secret }) => secret === true);
  return {
    ...(hasSecret ? { $ref: "pulumi.json#/Any", secret: true } : { type: "string" }),
    description:
      `The id of an existing ${noun} to bring under management. The preview shows what differs from the program; the update ` +
      "changes that in place. Used once: a later replacement makes a new object.",
  };
}

function typeOf(type, name, comment, types) {
  switch (type.kind) {
    case "integer":
      return { type: "integer" };
    case "boolean":
      return { type: "boolean" };
    case "anything":
      return { $ref: "pulumi.json#/Any" };
    case "list":
      return { type: "array", items: typeOf(type.item, name, comment, types) };
    case "object": {
      const token = `${MODULE}:${name}`;
      types[token] = objectType(type.members, name, comment, types);
      return { $ref: `#/types/${token}` };
    }
    case "oneOf":
      return { type: type.values.every((value) => typeof value === "number") ? "integer" : "string" };
    case "text":
    case "instant":
    case "cidr":
    case "ports":
    case "ipv4Source":
      return { type: "string" };
    default:
      throw new Error(`the package schema has no type for ${type.kind}`);
  }
}

function objectType(members, name, comment, types) {
  const of = (member) => comment?.members?.[member];
  return {
    type: "object",
    ...(comment?.text && { description: comment.text }),
    properties: map(members, (member, field) => ({
      ...typeOf(field.type, `${name}${capital(member)}`, of(member), types),
      ...(of(member)?.text && { description: of(member).text }),
    })),
    required: Object.keys(members).filter((member) => members[member].presence === "required"),
  };
}

const costType = {
  type: "object",
  description: "What a resource costs a month, by the API's own quote.",
  properties: {
    currency: { type: "string", description: "The currency of all amounts." },
    monthlyTotal: { type: "string", description: "The amount a month, as an exact decimal." },
    pricedAt: { type: "string", description: "When the quote was given, in UTC." },
    usageDimensions: {
      type: "array",
      items: { $ref: `#/types/${MODULE}:UsageDimension` },
      description: "What the amount is made of.",
    },
  },
  required: ["currency", "monthlyTotal", "usageDimensions"],
};

const usageDimensionType = {
  type: "object",
  description: "One part of a price: a quantity of something, and what it costs.",
  properties: {
    dimension: { type: "string", description: "The API's identifier." },
    displayName: { type: "string", description: "The API's words for it." },
    quantity: { type: "number", description: "How much of it." },
    unitPrice: { type: "string", description: "The price of one, as an exact decimal." },
    monthlyAmount: { type: "string", description: "The amount a month, as an exact decimal." },
  },
  required: ["dimension", "displayName", "quantity", "unitPrice", "monthlyAmount"],
};

function textOf(path, comment) {
  if (!comment?.text) throw new Error(`${path} has no comment: say before the field what it is`);
  return comment.text;
}

function map(fields, make) {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, make(name, field)]));
}

function sorted(types) {
  return Object.fromEntries(Object.entries(types).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function capital(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

module.exports = { packageSchema };
