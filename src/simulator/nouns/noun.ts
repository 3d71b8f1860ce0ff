import { z } from "zod";
import type { Caller } from "../model/callers";
import { type Dialect, resourceTypes } from "../model/catalogs";
import type { StoredObject } from "../model/object-lifecycle";
import type { Usage } from "../model/prices";
import type { ObjectModel, World } from "../model/world";
import { type Filters, filtersOf } from "../schemas/lists";
import type { Call } from "../services/call";
import type { DefinedMembers, Report } from "../services/validation";
import type { Endpoint } from "../services/endpoint";

/** A request that changes an object other than by its fields: `POST …/{id}/{name}`, answered with an operation. */
interface NounAction<T> {
  readonly type: "update" | "restart";
  readonly body?: z.ZodObject;
  readonly summary: string;
  /** Reads the body into the members that change. Throws if the object's state does not allow it. */
  change(call: Call, object: T, body: Readonly<Record<string, unknown>>): Partial<T>;
}

/**
 * A kind of object. Everything else follows from it: the world, the endpoints, the state on the control port, the
 * counters of projects, the kinds of operations, quotas, billing, permissions, audit targets and the OpenAPI document.
 */
export interface Noun<
  T extends StoredObject = StoredObject,
  C extends z.ZodObject = z.ZodObject,
  U extends z.ZodObject = z.ZodObject,
> extends ObjectModel<T> {
  /** The path of its collection, with parameters such as `{vpc_id}`. */
  readonly path: string;
  /** A stored object, with the specification's names. */
  readonly stored: z.ZodObject;
  /** The stored members that no answer shows, and the members that exist in answers only. */
  readonly hidden?: readonly (keyof T & string)[];
  readonly computed?: z.ZodRawShape;
  /** Members that only the answer to a creation shows. Each is a newly generated secret. */
  readonly secrets?: readonly string[];
  /** The bodies of a creation and of an update. Absent if the API has no such request. */
  readonly create?: C;
  readonly update?: U;
  readonly isDeletable?: boolean;
  /** True if the collection has no endpoint for a single object. */
  readonly isListOnly?: boolean;
  /** The default order of its list. */
  readonly newestFirst?: boolean;
  /** True if a change takes effect at once, and the answer is the object and no operation. */
  readonly isDirect?: boolean;
  /** True if the API quotes it, or the only dialect that quotes it. */
  readonly isQuoted?: boolean | Dialect;
  /** True if the API can tell in advance whether an object could be created or changed. */
  readonly hasAvailability?: boolean;
  /** The name of its counter in `resources` of a project, as in `cloud.vpcs`. */
  readonly projectCounter?: string;
  /** The numbers that an update cannot reduce. */
  readonly growsOnly?: readonly (keyof T & string)[];
  /** The stored members that its list can be filtered by, and other filters. */
  readonly filteredBy?: readonly (keyof T & string)[];
  readonly filters: Filters<T>;
  /** The members that its list can be sorted by, besides the time of creation. */
  readonly sorts?: readonly string[];
  /** The sort key of a field, if the object has no member of that name. */
  readonly sortValues?: Readonly<Record<string, (object: T) => string | number>>;
  readonly actions?: Readonly<Record<string, NounAction<T>>>;
  endpoints?(noun: Noun<T, C, U>): readonly Endpoint[];
  /** Whether a caller may see an object, if projects do not decide it. */
  isSeenBy?(caller: Caller, object: T, world: World): boolean;
  /** The features that its region must have, as in `networking.connect`. */
  regionFeatures?(body: Partial<z.infer<C>>): readonly string[];
  /** Rules for a creation and an update that a schema cannot express. They see the well-formed members only. */
  createRules?(call: Call, body: Partial<z.infer<C>>, report: Report): void;
  /** Rules about the objects that a creation refers to. A quote skips them, because they do not affect the price. */
  referenceRules?(call: Call, body: Partial<z.infer<C>>, report: Report): void;
  updateRules?(call: Call, object: T, body: Partial<z.infer<U>>, report: Report): void;
  /** Rejects a creation, an update or a deletion for a reason outside the body. */
  beforeCreate?(call: Call, body: z.infer<C>): void;
  beforeUpdate?(call: Call, object: T, body: z.infer<U>): void;
  beforeDelete?(call: Call, object: T): void;
  /** The members of a new object that are not in its body. Also creates the objects that come with it. */
  make?(call: Call, body: z.infer<C>, object: T): Partial<T>;
  /** The dimensions to quote for a body or an object, if they differ from the billed ones. */
  quotedUsage?(of: z.infer<C> | T, world: World): readonly Usage[];
  /** The members that an update changes, if they differ from those of the body. */
  change?(object: T, body: DefinedMembers<z.infer<U>>): Partial<T>;
  /** The members as an operation's list of changes shows them, if they differ from the stored ones. */
  changeList?(members: Partial<T>): object;
  show?(object: T, world: World): object;
  /** Stores the secrets of a new object, or the secrets that the control port sets. */
  keepSecrets?(object: T, secrets: Readonly<Record<string, string>>, world: World): void;
  /** As in `ConnectConnection`. */
  readonly typeName: string;
  /** The schema of an object in answers, and in the answer to its creation. */
  readonly shown: z.ZodObject;
  readonly created: z.ZodObject;
  /** The members that a request may omit: null or empty by default. */
  readonly defaults: Partial<T>;
}

/** The names that a descriptor states only if they do not follow from the kind and the path. */
type OptionalNames = "noun" | "idParameter" | "filters";

type DerivedNames = "resourceType" | "typeName" | "shown" | "created" | "defaults";

/** What a noun states about itself. Everything else is derived. */
type Descriptor<T extends StoredObject, C extends z.ZodObject, U extends z.ZodObject> = Omit<
  Noun<T, C, U>,
  OptionalNames | DerivedNames
> &
  Partial<Pick<Noun<T, C, U>, OptionalNames>>;

const acronyms = ["api", "nks", "rpc", "vm", "vpc"];

/** Completes a descriptor: derives the names from its kind, and the permission from its kind or its parent. */
export function defineNoun<
  T extends StoredObject,
  C extends z.ZodObject = z.ZodObject,
  U extends z.ZodObject = z.ZodObject,
>(descriptor: Descriptor<NoInfer<T>, C, U> & { readonly stored: z.ZodType<T> }): Noun<T, C, U> {
  const { kind, path, parent, stored, hidden = [], computed = {}, secrets = [], filteredBy = [] } = descriptor;
  const words = kind.split("_");
  const resourceType = resourceTypes.find((type) => type === kind) ?? parent?.resourceType;
  if (!resourceType) throw new Error(`${kind} has no permission: write it into resourceTypes of model/catalogs.ts`);
  const visible = Object.entries(stored.shape).filter(([name]) => !hidden.some((other) => other === name));
  const shown = z.object({ ...Object.fromEntries(visible), ...computed });
  return {
    noun: words.map((word) => (acronyms.includes(word) ? word.toUpperCase() : word)).join(" "),
    resourceType,
    idParameter: `${/([^/]+[^s])s$/.exec(path)?.[1] ?? kind}_id`,
    ...descriptor,
    typeName: words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(""),
    shown,
    created: shown.extend(Object.fromEntries(secrets.map((name) => [name, z.string()]))),
    filters: {
      ...filtersOf<T>(filteredBy, stored.shape),
      ...descriptor.filters,
    },
    defaults: defaultsOf(stored),
  };
}

function defaultsOf({ shape }: z.ZodObject): object {
  const defaults: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const values = [undefined, null, [], {}].map((value) => (schema as z.ZodType).safeParse(value));
    const accepted = values.find(({ success }) => success);
    if (accepted?.data !== undefined) defaults[name] = accepted.data;
  }
  return defaults;
}
