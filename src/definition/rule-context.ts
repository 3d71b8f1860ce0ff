/** An object as the engine sends and stores it. */
export type Props = Readonly<Record<string, unknown>>;

/** The finding of a rule. A failure stops the preview; a warning appears on the resource's row. */
export interface Finding {
  readonly severity: "failure" | "warning";
  readonly field: string;
  readonly reason: string;
}

export function failure(field: string, reason: string): Finding {
  return { severity: "failure", field, reason };
}

export function warning(field: string, reason: string): Finding {
  return { severity: "warning", field, reason };
}

export function isFailure({ severity }: Finding): boolean {
  return severity === "failure";
}

/**
 * A finding as one text. The dynamic provider gives the engine this text alone, because the engine prints the value of
 * a property that it is given separately, even if it is secret.
 */
export function findingText({ field, reason }: Pick<Finding, "field" | "reason">): string {
  return field === "" ? reason : `${field}: ${reason}`;
}

/** The values that a rule may use besides the inputs. */
export interface RuleContext<Inputs> {
  /** The inputs of the existing resource. Undefined for a new resource and for the new object of a replacement. */
  readonly previous: Partial<Inputs> | undefined;
  /** The object to adopt, as the API shows it. */
  readonly adopted: Partial<Inputs> | undefined;
  /** For the new object of a replacement: the inputs of the replaced resource. */
  readonly replaced: Partial<Inputs> | undefined;
  /** True if the replaced object is deleted before the new one is made, because it was never ready. */
  readonly deleteBeforeReplace: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The values that a plan may use besides the inputs. */
export interface PlanContext {
  /** The inputs of the existing resource. Undefined for a new resource and for the new object of a replacement. */
  readonly previous: Props | undefined;
  /** The object to adopt, as the API shows it. */
  readonly adopted: Props | undefined;
  /** For the new object of a replacement: the inputs of the replaced resource, and its id if it is known. */
  readonly replaced: Props | undefined;
  readonly replacedId: string | undefined;
  /** The number of replacements, including this one. */
  readonly generation: number;
  /** As the last run has planned it. See `Plan`. */
  readonly lifetimeStart: string | undefined;
  /** The API's time in epoch milliseconds. The first use in a process sends a request. */
  apiTime(): Promise<number>;
}

export interface Plan {
  readonly inputs: Props;
  readonly findings: readonly Finding[];
  /** Why the resource must be replaced, for its row. */
  readonly reason?: string | undefined;
  /** When the lifetime of the object begins, as it was planned. The state keeps it. */
  readonly lifetimeStart?: string | undefined;
}

/** A value whose objects may lack members, at any depth. */
export type ValidPart<T> = T extends readonly (infer Item)[]
  ? readonly ValidPart<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]?: ValidPart<T[Name]> | undefined }
    : T;
