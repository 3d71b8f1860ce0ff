/** An object as the engine sends and stores it. */
export type Props = Readonly<Record<string, unknown>>;

/** What a rule found: a failure stops the preview, a warning stands on the resource's row. */
export interface Finding {
  readonly severity: "failure" | "warning";
  readonly field: string;
  readonly reason: string;
}

/** What a rule between fields may look at besides the inputs. */
export interface RuleContext<Inputs> {
  /** The inputs of the existing resource; absent for a new one and for the new half of a replacement. */
  readonly previous: Partial<Inputs> | undefined;
  /** The object that is being adopted, as the API shows it. */
  readonly adopted: Partial<Inputs> | undefined;
  /** For the new half of a replacement: the inputs of the resource that is replaced. */
  readonly replaced: Partial<Inputs> | undefined;
  /** Whether a change of the existing resource is known to replace it: a rule on changes in place then has nothing to say. */
  readonly isReplacement: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What a plan may look at besides the inputs. */
export interface PlanContext {
  /** The inputs of the existing resource; absent for a new one and for the new half of a replacement. */
  readonly previous: Props | undefined;
  /** The object that is being adopted, as the API shows it. */
  readonly adopted: Props | undefined;
  /** For the new half of a replacement: the inputs, and the id where it is known, of the resource that is replaced. */
  readonly replaced: Props | undefined;
  readonly replacedId: string | undefined;
  /** How many times the resource was replaced, this time included. */
  readonly generation: number;
  /** The API's time in milliseconds since the epoch. Asked for once in a process; a run that needs none makes no call. */
  serviceTime(): Promise<number>;
}

/** What a plan makes. */
export interface Plan {
  readonly inputs: Props;
  readonly findings: readonly Finding[];
  /** Why the resource is to be replaced, for its row. */
  readonly reason?: string | undefined;
}
