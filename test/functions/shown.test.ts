import { z } from "zod";
import { lookups } from "../../src/functions/lookups/lookup-registry";
import { kinds } from "../../src/resources/registry";
import { endpointsOf } from "../../src/simulator/services/endpoints";
import { faultsOf, type Json } from "../kinds/support/shown";

/** What the answers of a lookup's endpoint have, or an item of its list. */
function answersAt(path: string, isList: boolean): Json[] {
  const shapeOf = (of: string): string => of.replaceAll(/\{\w+\}/g, "{}");
  const paths = path.includes("{kind}") ? ["flex", "dedicated"].map((kind) => path.replace("{kind}", kind)) : [path];
  const served = [...endpointsOf("spec"), ...endpointsOf("nirvana")].filter(
    (endpoint) => endpoint.method === "GET" && paths.some((each) => shapeOf(each) === shapeOf(endpoint.path)),
  );
  const answers = served.map(({ response }) => z.toJSONSchema(response!, { unrepresentable: "any" }) as Json);
  return answers.map((answer) => (isList ? answer.properties!["items"]!.items! : answer));
}

// Those of kinds have the fields of their definition.
const own = Object.entries(lookups).filter(([, { result }]) => result.type === undefined);

it.each(own)("the API's answers match %s", (name, { path, finds, result }) => {
  const [first, ...others] = answersAt(path, finds === "all").map((answer) => [
    ...faultsOf(result.fields, answer, false),
  ]);
  // Another dialect may show a missing member. A word is no fault if its values are not listed here.
  const faults = first!.filter((fault) => others.every((other) => other.includes(fault)));
  expect({ [name]: faults.filter((fault) => !fault.endsWith("and here anything")) }).toEqual({ [name]: [] });
});

it("a secret output is secret in lookups too", () => {
  const secrets = kinds.flatMap(({ outputs }) => Object.keys(outputs).filter((name) => outputs[name]?.secret === true));
  const faults = own.flatMap(([name, { result }]) =>
    Object.entries(result.fields).flatMap(([field, { secret }]) =>
      secrets.includes(field) && secret !== true ? [`${name}.${field} is an output that is secret: say secret`] : [],
    ),
  );
  expect(faults).toEqual([]);
});
