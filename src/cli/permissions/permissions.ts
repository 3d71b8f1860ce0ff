import type { Api } from "../../api/client";
import { explicitProvider, isExplicitProvider, typeOfToken, urnParts } from "../../engine/urn";
import { definitions } from "../../resources/definitions";
import { project } from "../../resources/project";
import { columnsTable } from "../../text/terminal-table";
import { jsonText } from "../../text/json";
import { printable } from "../../text/terminal-text";
import { orFailure } from "../command-failure";
import { exitCodes } from "../exit-codes";
import type { CommonOptions, OutputOption } from "../command-flags";
import { checkedPreview, previewsOf, type MadePreview } from "../cost/previews";
import type { CliIo } from "../io";
import type { ApiKeyPermission } from "../../resources/api-key-permission";
import {
  hiddenNeeds,
  isHeld,
  type NeededPermission,
  NeededPermissions,
  projectsOf,
  reaches,
  resourceTypeOf,
} from "../../permissions/needed-permissions";
import { stateWithSecrets } from "../pulumi/stack";
import { apiOpener, type Connect } from "../command-run";
import { configOfStack } from "../stack-config";

export interface PermissionsOptions extends CommonOptions, OutputOption {
  /** Default: the selected one. */
  readonly stack?: string;
  readonly format: "table" | "json";
  readonly check?: boolean;
}

/** The permissions and projects that a provider of the program needs of its key. */
interface Needs {
  readonly permissions: NeededPermissions;
  readonly projectIds: Set<string>;
  /** The names of the new projects in the program. */
  readonly newProjects: Set<string>;
  /** What the preview does not show: `projectIds of ApiKey ci`. */
  readonly hidden: Set<string>;
}

/** By the URN of an explicit provider. Undefined for the provider with the stack's settings. */
type NeedsByProvider = Map<string | undefined, Needs>;

/**
 * Prints the least permissions of an API key for a program. Resolves with the exit code. Rejects with CommandFailure.
 */
export async function runPermissions(options: PermissionsOptions, io: CliIo): Promise<number> {
  const { stack, format, check } = options;
  const needs: NeedsByProvider = new Map();
  needsOf(needs, undefined);
  const stacks = stack === undefined ? [] : [stack];
  for await (const made of previewsOf({ stack: stacks, preview: [], pulumiFlags: [] }, io)) collect(made, needs);
  const secrets = stateWithSecrets(stack, io);
  const connect = check === true ? apiOpener(await configOfStack(io, stack), secrets, io) : undefined;
  const sections = await Promise.all([...needs].map((each) => sectionOf(each, connect, io)));
  const unchecked = sections.flatMap(({ failure }) => failure ?? []);
  const [failure] = unchecked;
  if (failure && unchecked.length === sections.length) throw failure;
  const isLacking = sections.some((section) => section.isLacking);
  const isUnclear = sections.some((section) => section.isUnclear);
  const exitCode = isLacking ? exitCodes.lacking : check && isUnclear ? exitCodes.error : exitCodes.fine;
  const table = `${[...sections.map(({ text }) => text), OPTIONAL_PERMISSIONS].join("\n")}\n`;
  if (format === "table") io.stdout.write(table);
  else {
    // The list on stdout is for an ApiKey, and does not say what the configured key has.
    if (check || isUnclear) io.stderr.write(table);
    io.stdout.write(jsonText(merged(needs).map(({ resourceType, permission }) => ({ resourceType, permission }))));
  }
  return exitCode;
}

function merged(needs: NeedsByProvider): readonly NeededPermission[] {
  const all = new NeededPermissions();
  for (const { permissions } of needs.values())
    for (const { resourceType, permission } of permissions.list()) all.add(resourceType, permission, "");
  return all.list();
}

interface ProviderSection {
  readonly text: string;
  readonly isLacking: boolean;
  /** True if the key, its access to a project, or a hidden need could not be checked. */
  readonly isUnclear: boolean;
  /** Why the key could not be checked: the state does not have a new provider, say. */
  readonly failure?: Error;
}

/**
 * The text about one provider. With `connect`, it checks the provider's key; for an explicit provider, the key of the
 * last update.
 */
async function sectionOf(
  [provider, { permissions, projectIds, newProjects, hidden }]: readonly [string | undefined, Needs],
  connect: Connect | undefined,
  io: CliIo,
): Promise<ProviderSection> {
  const needed = permissions.list();
  const ids = [...projectIds];
  const isAsked = connect !== undefined && needed.length + ids.length > 0;
  const { answers, reached, failure } = isAsked ? await checkKey(needed, ids, connect(provider)) : NOT_CHECKED;
  const rows = needed.map(({ resourceType, permission, neededBy }, row) => [
    `${resourceType}:${permission}`,
    ...(answers ? [wordFor(answers[row])] : []),
    printable(neededBy.join(", ")),
  ]);
  const head = ["permission", ...(answers ? ["key"] : []), "needed by"];
  const lines = [
    ...(provider === undefined ? [] : [`\nThe key of the provider ${printable(urnParts(provider).name)}:`]),
    rows.length === 0
      ? "The program needs no permission: any valid API key can run it."
      : columnsTable(rows, { head, width: io.stdout.columns }),
    ...(ids.length === 0
      ? []
      : [`The key must reach the project${ids.length === 1 ? "" : "s"} ${printable(ids.join(", "))}.`]),
    ...[...newProjects].map(
      (name) => `The key must also reach the new project ${printable(name)}: add it to the key once it is made.`,
    ),
    ...(hidden.size === 0
      ? []
      : [
          `The preview does not show ${printable([...hidden].sort().join(", "))} (secret, or not known yet). ` +
            "Compare that with the key yourself.",
        ]),
    ...(answers ? ids.map((id, nth) => reachText(printable(id), reached[nth])) : []),
    ...(failure ? [`The key could not be checked: ${printable(failure.message)}`] : []),
  ];
  const isLacking = answers?.includes(false) === true || reached.includes(false);
  // If no permission allows a list that shows a project, nobody can check it, so that fails no check.
  const isUnclear = hidden.size > 0 || failure !== undefined || reached.some((each) => each instanceof Error);
  return { text: lines.join("\n"), isLacking, isUnclear, ...(failure && { failure }) };
}

interface KeyCheck extends Pick<ProviderSection, "failure"> {
  /** For each permission. Undefined if the key was not checked. */
  readonly answers?: readonly (boolean | undefined)[];
  /** For each project: an error if it could not be checked. Undefined if no permission of the key shows it. */
  readonly reached: readonly (boolean | Error | undefined)[];
}

const NOT_CHECKED: KeyCheck = { reached: [] };

async function checkKey(
  permissions: readonly ApiKeyPermission[],
  projectIds: readonly string[],
  connected: Promise<Api>,
): Promise<KeyCheck> {
  const call = { purpose: "find out what the API key may do" };
  const ask = async (api: Api): Promise<KeyCheck> => {
    const answers = await Promise.all(permissions.map((permission) => isHeld(api, permission, call)));
    const reach = reaches(permissions.filter((_permission, index) => answers[index]));
    const reached = reach ? await Promise.all(projectIds.map((id) => orFailure(reach(api, id, call)))) : [];
    return { answers, reached };
  };
  const check = await orFailure(connected.then((api) => ask(api).finally(() => api.close())));
  return check instanceof Error ? { ...NOT_CHECKED, failure: check } : check;
}

function wordFor(isPermitted: boolean | undefined): string {
  return isPermitted === undefined ? "unknown" : isPermitted ? "has it" : "lacks it";
}

function reachText(id: string, isReached: boolean | Error | undefined): string {
  if (typeof isReached === "boolean") return `It ${isReached ? "reaches" : "does not reach"} ${id}.`;
  const reason = isReached?.message ?? "none of the permissions above allows listing objects of a project.";
  return `Access to ${id} could not be checked: ${printable(reason)}`;
}

const OPTIONAL_PERMISSIONS =
  "audit_log:read lets a run after an interruption find what it made. With api_key:read, it also shows a preview when the key expires. " +
  "usage:read shows the organization's bill.";

/** The needs of a provider. Adds an empty entry for a new one. */
function needsOf(needs: NeedsByProvider, provider: string | undefined): Needs {
  const own = needs.get(provider) ?? {
    permissions: new NeededPermissions(),
    projectIds: new Set(),
    newProjects: new Set(),
    hidden: new Set(),
  };
  needs.set(provider, own);
  return own;
}

function collect(made: MadePreview, needs: NeedsByProvider): void {
  for (const { op, urn, newState, oldState } of checkedPreview(made).steps) {
    const { type, external, inputs, provider } = newState ?? oldState ?? { type: "" };
    if (isExplicitProvider({ type, urn })) needsOf(needs, urn);
    const definition = definitions.find((each) => each.type === typeOfToken(type));
    if (!definition) continue;
    const { permissions, projectIds, newProjects, hidden } = needsOf(needs, explicitProvider(provider));
    const by = `${definition.type} ${urnParts(urn).name}`;
    permissions.addResource(definition, external === true || op === "read" ? "read" : "edit", by, inputs);
    for (const id of projectsOf(inputs)) projectIds.add(id);
    for (const field of hiddenNeeds(inputs)) hidden.add(`${field} of ${by}`);
    if (definition === project && op === "create") newProjects.add(urnParts(urn).name);
  }
  for (const note of made.notes ?? [])
    if (note.note === "lookup") {
      const provider = [...needs.keys()].find((urn = "") => urnParts(urn).name === (note.provider ?? ""));
      needsOf(needs, provider).permissions.add(resourceTypeOf(note.path), "read", note.name);
    }
}
