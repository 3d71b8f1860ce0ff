const { programOf } = require("./example-program.cjs");
const { asOutput, capital, isAlwaysShown, map, named, propertyOf } = require("./type-schema.cjs");

/** The schema of a resource, from its definition and its comments. `types` gets the types that it refers to. */
function resourceOf(definition, description, types) {
  const { type, inputs, planned = {}, outputs } = definition;
  const comments = { ...description.inputs, ...description.planned, ...description.outputs };
  const property = (name, field) => propertyOf(field, `${type}${capital(name)}`, comments[name], types);
  const shown = { ...inputs, ...planned, ...outputs };
  return {
    description: [description.text, ...description.remarks].join("\n\n"),
    example: programOf(description.portableExample),
    inputProperties: { ...map(inputs, property), adopt: adoptOf(definition, types) },
    requiredInputs: Object.keys(inputs).filter((name) => inputs[name].presence === "required"),
    properties: {
      ...map(shown, (name, field) => asOutput(property(name, field))),
      cost: costOf(types),
    },
    required: Object.keys(shown).filter((name) => isAlwaysShown(shown[name])),
    listInputs: listInputsOf(definition, property),
    aliases: [{ type: `pulumi-nodejs:dynamic/cloudinfra:${type}` }],
  };
}

/** The inputs of a list: the objects in the path, and the parameter that the API requires. */
function listInputsOf({ inputs, pathFields }, property) {
  const names = Object.keys(inputs).filter((name) => pathFields.includes(name));
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, asOutput(property(name, inputs[name]))])),
    required: names.filter((name) => inputs[name].presence === "required"),
  };
}

function adoptOf({ type, noun, outputs }, types) {
  const secrets = Object.entries(outputs).filter(([, output]) => output.secret && output.readSeparately === undefined);
  const description =
    `The id of an existing ${noun} to bring under management. The preview shows what differs from the program; the update ` +
    "changes that in place. Used once: a later replacement makes a new object.";
  if (secrets.length === 0) return { type: "string", description };
  const adoption = named(`${type}Adoption`, adoptionType(noun, secrets), types);
  return {
    oneOf: [{ type: "string" }, adoption],
    secret: true,
    description: `${description} With the id, its secret may be given: the API shows it to the creation only.`,
  };
}

function adoptionType(noun, secrets) {
  return {
    type: "object",
    description: `An existing ${noun} to bring under management, with what the API shows to the creation only.`,
    properties: {
      id: { type: "string", description: "Its id." },
      ...Object.fromEntries(
        secrets.map(([name]) => [name, { type: "string", description: `Its ${name}.`, secret: true }]),
      ),
    },
    required: ["id"],
  };
}

function costOf(types) {
  const dimension = named("UsageDimension", usageDimensionType, types);
  return {
    ...named("Cost", costType(dimension), types),
    description:
      "What it costs a month. Known in preview. Absent if there is no quote: test for that before you take a member.",
  };
}

const costType = (dimension) => ({
  type: "object",
  description: "What a resource costs a month, by the API's own quote.",
  properties: {
    currency: { type: "string", description: "The currency of all amounts." },
    monthlyTotal: { type: "string", description: "The amount a month, as an exact decimal." },
    pricedAt: { type: "string", description: "When the quote was given, in UTC." },
    usageDimensions: { type: "array", items: dimension, description: "What the amount is made of." },
  },
  required: ["currency", "monthlyTotal", "usageDimensions"],
});

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

module.exports = { resourceOf };
