import type { z } from "zod";
import type { Stored } from "../model/lifecycle";
import type { Caller } from "../model/permissions";
import type { Usage } from "../model/prices";
import type { ObjectModel, World } from "../model/world";
import type { Filters } from "../schemas/filters";
import type { CallContext } from "../services/call";
import type { Given } from "../services/changed-members";
import type { AnyEndpoint } from "../services/endpoint";
import type { Report } from "../services/validation";

/** The members that the service gives each new object. */
export interface Base {
  readonly id: string;
  readonly status: "creating";
  readonly created_at: string;
  readonly updated_at: string;
}

/** A request that changes an object in another way than its fields: `POST …/{id}/{name}`, with an operation. */
export interface Action<T> {
  readonly type: "update" | "restart";
  readonly body?: z.ZodObject;
  readonly summary: string;
  /** Reads the body into the members that change; refuses what cannot be. */
  change(call: CallContext, object: T, body: Readonly<Record<string, unknown>>): Partial<T>;
}

/**
 * The description of a kind of objects. From it follow the world, the endpoints, the state on the control port, the counters
 * of projects, the kinds of operations, quotas, bill, permissions, audit targets and the OpenAPI document.
 */
export interface Noun<
  T extends Stored = Stored,
  C extends z.ZodObject = z.ZodObject,
  U extends z.ZodObject = z.ZodObject,
> extends ObjectModel<T> {
  /** As in `ConnectConnection`. */
  readonly typeName: string;
  /** The path of its collection, with parameters as `{vpc_id}`. */
  readonly path: string;
  /** An object as it is kept, in the specification's names. */
  readonly kept: z.ZodObject;
  /** An object as it is answered. */
  readonly shown: z.ZodType;
  /** The answer of a creation, if it shows more than later answers do. */
  readonly created?: z.ZodType;
  /** The requests that create and change an object. Absent if there is none. */
  readonly create?: C;
  readonly update?: U;
  readonly isDeletable?: boolean;
  /** True if only its list shows it. */
  readonly isListOnly?: boolean;
  /** The default order of its list. */
  readonly newestFirst?: boolean;
  /** True if a change takes effect at once, and the answer is the object and no operation. */
  readonly isDirect?: boolean;
  readonly isQuoted?: boolean;
  /** True if the API says beforehand whether there is room for one. */
  readonly hasAvailability?: boolean;
  /** Its counter in `resources` of a project, as in `cloud.vpcs`. */
  readonly projectCounter?: string;
  /** The fields for filters and sorting, besides the time of creation. */
  readonly filters?: Filters<T>;
  readonly sorts?: readonly string[];
  /** The sort key of a field, if the object has no member of its name. */
  readonly sortValues?: Readonly<Record<string, (object: T) => string | number>>;
  readonly actions?: Readonly<Record<string, Action<T>>>;
  /** Additional endpoints. */
  readonly more?: readonly AnyEndpoint[];
  /** Whether a caller may see an object, if projects do not decide it. */
  isSeenBy?(caller: Caller, object: T, world: World): boolean;
  /** The features that its region must have, as in `networking.connect`. */
  regionFeatures?(body: Partial<z.infer<C>>): readonly string[];
  /** Rules on a creation and on an update that need more than the schema. They see the well-formed members only. */
  createRules?(call: CallContext, body: Partial<z.infer<C>>, report: Report): void;
  /** Rules on what a creation refers to and the price cannot depend on: a quote does not look for it. */
  placeRules?(call: CallContext, body: Partial<z.infer<C>>, report: Report): void;
  updateRules?(call: CallContext, object: T, body: Partial<z.infer<U>>, report: Report): void;
  /** Refuses a creation, an update or a deletion for a reason that the body does not show. */
  beforeCreate?(call: CallContext, body: z.infer<C>): void;
  beforeUpdate?(call: CallContext, object: T, body: z.infer<U>): void;
  beforeDelete?(call: CallContext, object: T): void;
  /** Makes the new object, and the objects that it brings with it. */
  make?(call: CallContext, body: z.infer<C>, base: Base): T;
  /** The dimensions of a quote, for a body or an object, if they differ from those of the bill. */
  quoted?(of: z.infer<C> | T, world: World): readonly Usage[];
  /** The members that an update changes, if they differ from those of the body. */
  change?(object: T, body: Given<z.infer<U>>): Partial<T>;
  /** The members in an operation's list of changes, if they differ from those of the object: a change is flat. */
  flat?(members: Partial<T>): object;
  /** The object in answers, if it differs from the stored one. */
  show?(object: T, world: World): object;
  /** The members that only the answer of its creation has. */
  showOnce?(object: T, world: World): object;
  /** Reads an object of the control port, if it has more members than the stored one. */
  place?(object: T, world: World): T;
}

/** Ties the types of a noun to its schemas. */
export function defineNoun<T extends Stored, C extends z.ZodObject = z.ZodObject, U extends z.ZodObject = z.ZodObject>(
  noun: Noun<T, C, U>,
): Noun<T, C, U> {
  return noun;
}
