import type { PulumiResult } from "../../../tools/pulumi/stack.cjs";
import { diagnosticsOf } from "../support/output";
import type { Session, SessionOptions } from "../support/session";
import type { Stage } from "./stage";
import type { Differences } from "./transcript";

/** A program, and what people, the API and time do to its stack. Both providers play it, each with its own API. */
export interface Scenario {
  readonly title: string;
  readonly options?: Omit<SessionOptions, "api">;
  readonly steps: readonly Step[];
}

/** One call of the CLI, and what precedes it. */
export interface Step {
  /** The behaviour that the step shows, to be understood without the other steps. */
  readonly title: string;
  /** The program from now on, without its imports. Default: unchanged. */
  readonly program?: readonly string[] | ((stage: Stage) => readonly string[]);
  /** What happens before the call. */
  readonly first?: (stage: Stage) => Promise<void>;
  readonly run: (session: Session) => Promise<PulumiResult>;
  /** True if the call ends with an error. */
  readonly fails?: true;
  /** True if the call is cut short, so that its output is unpredictable. Its end and its effects are compared. */
  readonly isCut?: true;
  /** What each provider must show. Without it, two that do nothing would be equal, too. */
  readonly shows?: (played: StepResult) => void | Promise<void>;
  /**
   * The differences that exist because the engine treats the two kinds of provider differently. Everything else is the
   * same.
   */
  readonly differs?: Inherent;
}

/** Differences that no change of this package could remove. */
export interface Inherent {
  readonly reason: string;
  readonly lines: Differences;
}

/** The stack's outputs of secrets that do not exist yet, under their names on the screen. */
export function unknownSecret(...names: readonly string[]): Inherent {
  return {
    reason:
      "In a preview, the engine asks a plugin for a new resource's outputs, and the secret is marked. It does not ask a dynamic provider.",
    lines: {
      screen: {
        dynamic: names.map((name) => `${name}: [unknown]`),
        native: names.map((name) => `${name}: [secret]`),
      },
    },
  };
}

/** The error of a function that a program calls. */
export function failedFunction(name: string, text: string): Inherent {
  return {
    reason: "For the first-class provider, Pulumi's SDK calls the function, and says which one it was.",
    lines: {
      screen: {
        dynamic: [`test-dev: error: ${text}`],
        native: [`test-dev: error: invocation of ${name} returned an error: ${text}`],
      },
    },
  };
}

/** Lines of the form `<call> failed`, which Pulumi's server of dynamic providers adds under the stack. */
export function repeatedUnderStack(...lines: readonly string[]): Inherent {
  return {
    reason: "Pulumi's server of dynamic providers prints each error of a call a second time, under the stack.",
    lines: { screen: { dynamic: [...lines].sort(), native: [] } },
  };
}

/** The output of a call, and the requests that it has sent, such as `POST /v1/api_keys`. */
export interface StepResult {
  readonly stage: Stage;
  readonly session: Session;
  readonly output: string;
  readonly requests: readonly string[];
}

/** Expects that the diagnostics of a resource match each of these. */
export const expectDiagnostics =
  (name: string, ...texts: readonly RegExp[]) =>
  ({ output }: StepResult): void => {
    for (const text of texts) expect(diagnosticsOf(output, name)).toMatch(text);
  };

// The calls of the CLI. Those without "preview" in their names leave it out.
export const preview = (session: Session): Promise<PulumiResult> => session.stack.preview();
export const up = (session: Session): Promise<PulumiResult> => session.up();
export const previewAndUp = (session: Session): Promise<PulumiResult> => session.stack.up();
export const refresh = (session: Session): Promise<PulumiResult> => session.refresh();
export const destroy = (session: Session): Promise<PulumiResult> => session.destroy();
