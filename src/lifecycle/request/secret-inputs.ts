import { isUuid } from "../../api/same-id";
import { fitToShow, keepInputUnshown, SECRET_INPUT } from "../../text/shown-text";
import { wrapped, type Lifecycle } from "./resource-request";

/**
 * No text shows these inputs of the resource from now on. Ids are shown: nobody finds an object without its id, and SDKs mark the whole
 * of `adopt: { id, key }` because of its key.
 */
export function keepInputsUnshown(urn: string, texts: readonly string[]): void {
  for (const text of texts) if (!isUuid(text)) keepInputUnshown(urn, text);
}

/** The calls with failures and errors that show no secret input of their resource. */
export function withoutSecretInputs(calls: Lifecycle): Lifecycle {
  const hidden = wrapped(
    calls,
    (call) => (request) =>
      call(request).catch((error: unknown) => {
        if (error instanceof Error) error.message = fitToShow(error.message, request.urn);
        throw error;
      }),
  );
  return {
    ...hidden,
    check: async (request) => {
      const { findings, ...answer } = await hidden.check(request);
      const shown = findings.map((finding) => ({ ...finding, reason: shownReason(finding.reason, request.urn) }));
      return { ...answer, findings: shown };
    },
  };
}

/** The right spelling of a secret value would give it away. */
function shownReason(reason: string, urn: string): string {
  const shown = fitToShow(reason, urn);
  return shown.includes(SECRET_INPUT) ? shown.replace(/: write .*$/s, "") : shown;
}
