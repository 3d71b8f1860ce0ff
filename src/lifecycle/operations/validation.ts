import { inputSchemas } from "../../definition/input-schemas";
import { memoize } from "../../definition/memoize";
import { z } from "zod";
import { shrinkFindings, renamedFindings, nameFindings, unknownArguments } from "../../definition/findings";
import { valuesInPresentNames } from "../../definition/compare-fields";
import { isRecord } from "../../definition/compare-values";
import { isUnknown, unknownAt, withoutUndefined } from "../../engine/values";
import { type Finding, type Props, type ResourceKind, type RuleContext, defaultsOf } from "../kind/kind";
import { howToConfigure, settingName, type ConfigKey } from "../../engine/settings-list";
import type { Settings } from "../../settings/config";

const inputSchemaOf = memoize((kind: ResourceKind) => z.object(inputSchemas(kind)));

/** Finds all faults of the inputs at once. Unknown values pass, because the update validates them. */
export function findingsOf(kind: ResourceKind, inputs: Props, context: RuleContext<Props>): readonly Finding[] {
  const result = inputSchemaOf(kind).safeParse(inputs);
  const failures = (result.error?.issues ?? [])
    .filter((issue) => !unknownAt(inputs, issue.path) && !isRepeated(kind, inputs, issue.path[0]))
    .map((issue): Finding => ({ severity: "failure", field: z.core.toDotPath(issue.path), reason: issue.message }));
  const wrong = (result.error?.issues ?? []).map((issue) => issue.path);
  const known = validPart(inputs, wrong) as Props;
  const { previous, adopted, replaced } = context;
  const present = (values: Props): Props => valuesInPresentNames(kind.inputs, values);
  return [
    ...failures,
    ...(adopted && !previous ? shrinkFindings(kind, adopted, known) : []),
    ...(kind.rules?.(present(known), {
      ...context,
      previous: previous && present(previous),
      adopted: adopted && present(adopted),
      replaced: replaced && present(replaced),
    }) ?? []),
    ...nameFindings(kind, known, context),
    ...renamedFindings(kind.inputs, known),
    ...unknownFindings(kind, inputs),
  ];
}

/**
 * The value without unknown and wrong members, for the rules, so that one fault does not hide another. A list with such
 * an item is left out, because the positions of its items would change.
 */
function validPart(value: unknown, wrong: readonly (readonly PropertyKey[])[]): unknown {
  if (isUnknown(value) || wrong.some((path) => path.length === 0)) return undefined;
  const member = (key: PropertyKey, of: unknown): unknown =>
    validPart(
      of,
      wrong.flatMap(([first, ...rest]) => (first === key ? [rest] : [])),
    );
  if (Array.isArray(value)) {
    const items = value.map((item, index) => member(index, item));
    return items.includes(undefined) ? undefined : items;
  }
  if (!isRecord(value)) return value;
  return withoutUndefined(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, member(key, each)])));
}

/** True if the value was taken from another field (`initially`), where its fault is already reported. */
function isRepeated({ inputs: fields }: ResourceKind, inputs: Props, field: PropertyKey | undefined): boolean {
  const { initially } = fields[String(field)] ?? {};
  return initially !== undefined && inputs[initially] === inputs[String(field)];
}

/** An output that is given as an argument is only a warning: `ignoreChanges` and copied code do that. */
function unknownFindings(kind: ResourceKind, inputs: Props): readonly Finding[] {
  const outputs = [...kind.computed, ...kind.secretOutputs, ...kind.subResources.map(({ name }) => name)];
  return unknownArguments(kind.type, kind.args, inputs, kind.planned).map((finding) =>
    outputs.includes(finding.field)
      ? { ...finding, severity: "warning", reason: `is an output of ${kind.type}, and is ignored: remove it` }
      : finding,
  );
}

const CONFIGURABLE_ARGUMENTS = ["projectId", "region"] as const satisfies readonly ConfigKey[];

/** If the configuration can give a missing required argument, the finding says how. */
export function withHowToConfigure(
  kind: ResourceKind,
  settings: Settings,
  inputs: Props,
  findings: readonly Finding[],
): readonly Finding[] {
  return findings.map((finding) => {
    const { field } = finding;
    const key = inputs[field] === undefined ? settingFor(kind, settings, field) : undefined;
    if (key === undefined) return finding;
    const required = `is required${settings.empty.includes(key) ? `, and ${settingName(key, settings.provider)} is empty` : ""}`;
    return { ...finding, reason: `${required}: give it, or ${howToConfigure(key, settings.provider)}` };
  });
}

function settingFor(kind: ResourceKind, settings: Settings, field: string): ConfigKey | undefined {
  const without = { ...settings, projectId: undefined, region: undefined };
  return CONFIGURABLE_ARGUMENTS.find((key) => {
    const [given, silent] = [{ ...without, [key]: "given" }, without].map((each) => defaultsOf(kind, each));
    return given !== undefined && field in given && !(silent && field in silent);
  });
}
