import type { CostOperation } from "../../cost/report";
import type { ResourceChange } from "../../cost/resource-cost";
import type { PreviewStep } from "../pulumi/preview-json";
import { costBefore, costSide } from "./cost-side";

const TYPE_PREFIX = "pulumi-nodejs:dynamic/cloudinfra:";

/** Kinds that are in the state only: there is nothing to pay for. (The kinds themselves would bring Pulumi's SDK with them.) */
export const LOCAL_TYPES: readonly string[] = ["RotationSchedule", "CostSummary"];

/** What a preview changes for the resources that may cost something. */
export interface PreviewChanges {
  readonly changes: readonly ResourceChange[];
  /** Whether resources were left out as they were no targets. */
  readonly isPartial: boolean;
}

/** Picks the resources of this package that the stack manages, and what becomes of each. */
export function changesOf(steps: readonly PreviewStep[]): PreviewChanges {
  const ours = steps.filter(isOurs);
  const planned = new Set(ours.filter(({ op }) => op !== "refresh").map(({ urn }) => urn));
  return {
    // What a refresh has found counts where nothing follows it.
    changes: ours.filter(({ op, urn }) => op !== "refresh" || !planned.has(urn)).flatMap(changesOfStep),
    isPartial: steps.some((step) => isSkipped(step) && !isLocal(step)),
  };
}

/** Left out, it changes nothing of the costs. */
function isLocal({ newState }: PreviewStep): boolean {
  return LOCAL_TYPES.some((type) => newState?.type === `${TYPE_PREFIX}${type}`);
}

function isOurs({ oldState, newState }: PreviewStep): boolean {
  const { type = "", external } = newState ?? oldState ?? {};
  return type.startsWith(TYPE_PREFIX) && !LOCAL_TYPES.includes(type.slice(TYPE_PREFIX.length)) && external !== true;
}

/** Pulumi plans what would be new, and is no target, as something that stays the same, though it is not there. */
function isSkipped({ op, newState }: PreviewStep): boolean {
  return op === "same" && newState?.custom === true && newState.id === undefined && newState.inputs === undefined;
}

function changesOfStep(step: PreviewStep): readonly ResourceChange[] {
  const { op, urn, oldState, newState } = step;
  const last = oldState && costSide(oldState);
  const now = newState && costBefore(newState);
  const before = now ?? last;
  const after = newState && costSide(newState);
  const change = (operation: CostOperation, sides: Partial<ResourceChange> = {}): ResourceChange => ({
    urn,
    operation,
    before,
    after,
    lastQuoted: now && last?.cost,
    ...sides,
  });
  const created = (): ResourceChange =>
    isAdopted(step)
      ? change("create", { before: now ?? after, lastQuoted: undefined, remains: "adopted" })
      : change("create", { before: undefined, lastQuoted: undefined });
  const deleted = (): ResourceChange =>
    oldState?.retainOnDelete === true
      ? change("delete", { before: last, after: last, lastQuoted: undefined, remains: "retained" })
      : change("delete", { before: last, after: undefined, lastQuoted: undefined });
  switch (op) {
    case "create":
    case "import":
      return [created()];
    case "replace":
      // Two objects: the old one stays, or what takes its place was there beside it.
      return oldState?.retainOnDelete === true || isAdopted(step) ? [created(), deleted()] : [change(op)];
    case "delete":
      return [deleted()];
    case "same":
      return isSkipped(step) ? [] : [change(op)];
    case "update":
      return [change(op)];
    case "refresh":
      return [newState ? change("same") : deleted()];
    default:
      // The parts of a replacement, and what is only read.
      return [];
  }
}

function isAdopted({ op, newState }: PreviewStep): boolean {
  const adopt = newState?.inputs?.["adopt"];
  return op === "import" || (adopt !== undefined && adopt !== null);
}
