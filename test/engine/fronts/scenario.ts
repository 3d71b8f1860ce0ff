import type { PulumiResult } from "../../../tools/pulumi/stack.cjs";
import { saidOf } from "../support/output";
import type { Session, SessionOptions } from "../support/session";
import type { Stage } from "./stage";
import type { Differences } from "./transcript";

/** A program, and what people, the API and time do to its stack. Both fronts play it, each with its own API. */
export interface Scenario {
  /** What it is about, behind "both fronts: ". */
  readonly title: string;
  readonly options?: Omit<SessionOptions, "api">;
  readonly steps: readonly Step[];
}

/** One call of the CLI, and what comes before it. */
export interface Step {
  /** Completes "when …, both fronts do the same". */
  readonly when: string;
  /** The program from now on, without its imports. Without one, it stays as it was. */
  readonly program?: readonly string[] | ((stage: Stage) => readonly string[]);
  /** What happens before the call. */
  readonly first?: (stage: Stage) => Promise<void>;
  readonly run: (session: Session) => Promise<PulumiResult>;
  /** The call ends with an error. */
  readonly fails?: true;
  /** The call is cut short, so what it has printed by then is chance. Its end and its effects are compared. */
  readonly isCut?: true;
  /** What must be so with each front: two that do nothing are the same, too. */
  readonly shows?: (played: Played) => void | Promise<void>;
  /** What differs, because the engine treats the two kinds of provider differently. All else is the same. */
  readonly differs?: Inherent;
}

/** Differences that no change of this package could take away. */
export interface Inherent {
  readonly why: string;
  readonly lines: Differences;
}

/** What a call has printed, and which requests it has caused, such as `POST /v1/api_keys`. */
export interface Played {
  readonly stage: Stage;
  readonly session: Session;
  readonly output: string;
  readonly requests: readonly string[];
}

/** What is said of a resource under Diagnostics matches each of these. */
export const says =
  (name: string, ...texts: readonly RegExp[]) =>
  ({ output }: Played): void => {
    for (const text of texts) expect(saidOf(output, name)).toMatch(text);
  };

// The calls of the CLI. Those without "preview" in their names leave it out.
export const preview = (session: Session): Promise<PulumiResult> => session.stack.preview();
export const up = (session: Session): Promise<PulumiResult> => session.up();
export const previewAndUp = (session: Session): Promise<PulumiResult> => session.stack.up();
export const refresh = (session: Session): Promise<PulumiResult> => session.refresh();
export const destroy = (session: Session): Promise<PulumiResult> => session.destroy();
