import { flag, integer, list, number as anyNumber, text } from "../../definition/field";

/** The arguments that many lists take, in the API's words. */

/** A part of the name, in any case. */
export const name = text({ optional: true });
/** All of these tags. */
export const tags = list(text(), { optional: true });
/** One of the states, such as `ready`. */
export const status = text({ optional: true });
/** One of the values that the API shows in this field. */
export const word = text({ optional: true });
/** A whole number. */
export const int = integer({ optional: true });
/** A number, possibly with a fraction. */
export const number = anyNumber({ optional: true });
/** True or false. */
export const either = flag({ optional: true });
/** An order: `name:asc`, or several of these, with commas between them. */
export const sort = text({ optional: true });
/** The project. Default: `cloudinfra:projectId`. */
export const projectId = text({ configured: "projectId" });
/** The organization. Default: the one that the API key reaches. */
export const organizationId = text({ optional: true });
