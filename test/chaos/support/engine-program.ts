import type { Front } from "../../engine/support/programs";
import type { Places, Said } from "./program";

/** A version of the program as JavaScript, for the real engine. */
export function programOf(front: Front, said: readonly Said[], { adoptees }: Places): string {
  const statements = said
    .filter(({ isThere }) => isThere)
    .map(({ type, name, dependsOn, args, mayAdopt }) => {
      const { tags, ...others } = args;
      const ids = dependsOn.map((other) => `${other}.id.apply((id) => \`of-\${id}\`)`);
      const members = Object.entries({
        ...others,
        ...(mayAdopt && adoptees.has(name) && { adopt: adoptees.get(name) }),
      });
      const fields = members.map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
      const list = (tags as readonly string[] | undefined)?.map((tag) => JSON.stringify(tag)).concat(ids);
      if (list) fields.push(`tags: [${list.join(", ")}]`);
      return `const ${name} = new cloudinfra.${type}("${name}", { ${fields.join(", ")} });`;
    });
  return [`const cloudinfra = require("${front}");`, ...statements].join("\n");
}
