import { z } from "zod";
import { definitions } from "../../src/resources/registry";
import { nounAt } from ".";
import { faultsOf, type Json } from "./support/shown";

it.each(definitions.map((definition) => [definition.type, definition] as const))(
  "the API's answers about %s match the definition",
  (type, { inputs, outputs, path }) => {
    const answer = z.toJSONSchema(nounAt(path)!.shown, { unrepresentable: "any" }) as Json;
    const faults = [...faultsOf(inputs, answer, true), ...faultsOf(outputs, answer, false)];
    expect({ [type]: faults }).toEqual({ [type]: [] });
  },
);
