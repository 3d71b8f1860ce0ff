import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";

/** Turns an answer into text. */
export type Serialize = (answer: unknown) => string;

/** Plain JSON, without a check. */
export const plainSerializer: Serialize = (answer) => JSON.stringify(answer);

/** JSON that is read again with the response's schema: a member missing, malformed or undeclared is a mistake of ours. */
export function checkingSerializer(schema: z.ZodType, where: string): Serialize {
  return (answer) => {
    const text = JSON.stringify(answer);
    const sent: unknown = JSON.parse(text);
    const result = schema.safeParse(sent);
    if (!result.success) throw new Error(`${where} answers out of its schema: ${result.error.message}`);
    if (!isDeepStrictEqual(result.data, sent)) throw new Error(`${where} answers with members that are not declared`);
    return text;
  };
}
