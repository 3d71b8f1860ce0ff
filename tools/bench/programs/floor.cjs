// The engine's floor: resources with the same inputs and outputs, whose loader does nothing.
const pulumi = require("@pulumi/pulumi");
const resources = require("./resources.json");

const __provider = `exports.handler = () => ({
  check: (olds, inputs) => Promise.resolve({ inputs }),
  diff: () => Promise.resolve({}),
  create: (outs) => Promise.resolve({ id: "x", outs }),
  update: (id, olds, outs) => Promise.resolve({ outs }),
});`;

class Nothing extends pulumi.CustomResource {
  constructor(name, args) {
    // An output has no value. Without a key for it, the SDK would not make it.
    const props = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, value ?? undefined]));
    super("pulumi-nodejs:dynamic/floor:Nothing", name, { ...props, __provider });
  }
}

for (const [name, args] of Object.entries(resources)) {
  // Without arguments: a component.
  if (args === null) new pulumi.ComponentResource("floor:index:Group", name);
  else new Nothing(name, args);
}
