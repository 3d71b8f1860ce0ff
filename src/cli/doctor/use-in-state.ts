import { isSameId } from "../../definition/same-id";
import type { NamedPart } from "../../definition/parts";
import { urnParts } from "../../engine/urn";
import { stateFromProps } from "../../state/kept-state";
import type { StateResource } from "../pulumi/stack";

/**
 * Says that a state has the object, one of its parts, or something in it or attached to it, and what to do: the end of a message. Undefined
 * if the state has nothing of it.
 */
export function useOf(id: string, parts: readonly NamedPart[], state: readonly StateResource[]): string | undefined {
  for (const [label, own] of [["it", id], ...parts.map((each) => [`its ${each.part.of.noun} ${each.id}`, each.id])])
    for (const resource of state) {
      const use = useBy(resource, own);
      if (use === undefined) continue;
      const { project, stack } = urnParts(resource.urn);
      const [as, advice] = use;
      const orDetach = own === id ? "" : ", or detach the part";
      return `the stack ${project}/${stack} has ${label} ${as} ${resource.urn}. ${advice}${orDetach}, and run \`pulumi up\`.`;
    }
  return undefined;
}

/** How a resource uses an object, and how to end that: two parts of a sentence. Undefined if it does not use the object. */
function useBy(
  { id, inputs = {}, outputs = {} }: StateResource,
  own: string | undefined,
): readonly [string, string] | undefined {
  const isIt = (other: unknown): boolean => typeof other === "string" && isSameId(other, own);
  if (isIt(id)) return ["as", "Remove the resource from its program"];
  const { retired, ownParts = [] } = stateFromProps(outputs).memory.object;
  if (retired.some((each) => isIt(each.id))) return ["as replaced by", 'Set `deleteOld: "after"` there'];
  if (ownParts.some(isIt)) return ["as a part of", "Remove it from that resource"];
  // A list that is no input, such as the pools of a cluster, only shows what there is.
  const references = Object.entries(outputs).filter(([name, value]) => !Array.isArray(value) || name in inputs);
  if (references.flatMap(([, value]) => value).some(isIt))
    return ["in use by", "Remove that resource, or its reference to the object"];
  return undefined;
}
