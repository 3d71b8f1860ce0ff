import type { Announcement } from "../../process/run-file";
import { isFailure } from "../../definition/rule-context";
import type { ResourceKind } from "../kind/kind";
import { RunMemory } from "../memory/run-memory";
import { askAboutCreation } from "../preflight/preflight";
import type { PrefetchedAnswers } from "../preflight/advisory-prefetch";
import { NO_MEMORY, type ResourceRequest } from "../resource-request";
import type { Run } from "../run/run";
import { completeInputs } from "./completed-inputs";
import { findingsOf } from "./validation";

/**
 * Sends the requests that check will need for a new resource, with the same inputs. Undefined if there is nothing to
 * ask, because check would refuse the inputs or look for an existing object first.
 */
export async function prefetchAnswers(
  kind: ResourceKind,
  run: Run,
  { urn, inputs: given }: Announcement,
  isPreview: boolean,
): Promise<PrefetchedAnswers | undefined> {
  if (given["adopt"] !== undefined || kind.discovery || kind.plan || run.settings.adoptOwn) return undefined;
  const request: ResourceRequest = {
    urn,
    id: "",
    isPreview,
    inputs: given,
    memory: NO_MEMORY,
    isReference: false,
  };
  // Uses its own memory: the run's memory gets the resource when the engine presents it.
  const { inputs } = await completeInputs(kind, run, request, new RunMemory().begin(request));
  const asNew = {
    previous: undefined,
    adopted: undefined,
    replaced: undefined,
    deleteBeforeReplace: false,
  };
  if (findingsOf(kind, inputs, { ...asNew, now: run.api.now() }).some(isFailure)) return undefined;
  const answers = askAboutCreation({ kind, run, urn, inputs }, isPreview);
  answers.catch(() => undefined); // check awaits them, and reports a failure
  return { inputs, answers };
}
