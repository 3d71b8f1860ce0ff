import { typeOfToken, urnParts } from "../../engine/urn";
import { definitions } from "../../resources/definitions";
import { columnsTable } from "../../text/terminal-table";
import { jsonText } from "../../text/json";
import { printable } from "../../text/terminal-text";
import { exitCodes } from "../command-failure";
import type { CommonOptions, OutputOption } from "../command";
import { checkedPreview, previewsOf, type MadePreview } from "../cost/previews";
import type { CliIo } from "../io";
import type { ApiKeyPermission } from "../../resources/api-key-permission";
import { isHeld, NeededPermissions, projectsOf, reaches, resourceTypeOf } from "../../resources/needed-permissions";
import { configOfStack, openApi } from "../stack-api";

export interface PermissionsOptions extends CommonOptions, OutputOption {
  /** Default: the selected one. */
  readonly stack?: string;
  readonly format: "table" | "json";
  readonly check?: boolean;
}

/** Prints the least permissions of an API key for a program. Resolves with the exit code. Rejects with CommandFailure. */
export async function runPermissions({ stack, format, check }: PermissionsOptions, io: CliIo): Promise<number> {
  const needed = new NeededPermissions();
  const projectIds = new Set<string>();
  const stacks = stack === undefined ? [] : [stack];
  for await (const made of previewsOf({ stack: stacks, preview: [], pulumiFlags: [] }, io))
    collect(made, needed, projectIds);
  const permissions = needed.list();
  const { answers, unreached = [] } = check === true ? await checked(permissions, [...projectIds], stack, io) : {};
  const exitCode = answers?.includes(false) || unreached.length > 0 ? exitCodes.lacking : exitCodes.fine;
  if (format === "json") {
    const json = permissions.map(({ resourceType, permission }) => ({ resourceType, permission }));
    io.stdout.write(jsonText(json));
    return exitCode;
  }
  const rows = permissions.map(({ resourceType, permission, neededBy }, row) => [
    `${resourceType}:${permission}`,
    ...(answers ? [wordFor(answers[row])] : []),
    printable(neededBy.join(", ")),
  ]);
  const head = ["permission", ...(answers ? ["key"] : []), "needed by"];
  const table =
    rows.length === 0
      ? "The program needs no permission: any valid API key can run it."
      : columnsTable(rows, { head, width: io.stdout.columns });
  const projects =
    projectIds.size === 0
      ? []
      : [`The key must reach the project${projectIds.size === 1 ? "" : "s"} ${printable([...projectIds].join(", "))}.`];
  const lacking = unreached.map((id) => `It does not reach ${printable(id)}.`);
  io.stdout.write(`${[table, ...projects, ...lacking, BEYOND].join("\n")}\n`);
  return exitCode;
}

interface CheckedKey {
  readonly answers: readonly (boolean | undefined)[];
  readonly unreached: readonly string[];
}

async function checked(
  permissions: readonly ApiKeyPermission[],
  projectIds: readonly string[],
  stack: string | undefined,
  io: CliIo,
): Promise<CheckedKey> {
  const api = openApi(await configOfStack(io, stack), io);
  const call = { purpose: "find out what the API key may do" };
  try {
    const answers = await Promise.all(permissions.map((permission) => isHeld(api, permission, call)));
    const reach = reaches(permissions.filter((_permission, index) => answers[index]));
    const reached = reach ? await Promise.all(projectIds.map((id) => reach(api, id, call))) : [];
    return { answers, unreached: projectIds.filter((_id, index) => reached[index] === false) };
  } finally {
    await api.close();
  }
}

function wordFor(isPermitted: boolean | undefined): string {
  return isPermitted === undefined ? "unknown" : isPermitted ? "has it" : "lacks it";
}

const BEYOND =
  "audit_log:read lets a run after an interruption find what it made. usage:read shows the organization's bill.";

function collect(made: MadePreview, needed: NeededPermissions, projectIds: Set<string>): void {
  for (const { op, urn, newState, oldState } of checkedPreview(made).steps) {
    const { type, external, inputs } = newState ?? oldState ?? { type: "" };
    const definition = definitions.find((each) => each.type === typeOfToken(type));
    if (!definition) continue;
    const by = `${definition.type} ${urnParts(urn).name}`;
    needed.addResource(definition, external === true || op === "read" ? "read" : "edit", by, inputs);
    for (const id of projectsOf(inputs)) projectIds.add(id);
  }
  for (const note of made.notes ?? [])
    if (note.note === "lookup") needed.add(resourceTypeOf(note.path), "read", note.name);
}
