import { z } from "zod";
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
import { isHeld, NeededPermissions, resourceTypeOf } from "../../resources/needed-permissions";
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
  const answers = check === true ? await answersAbout(permissions, stack, io) : undefined;
  const exitCode = answers?.includes(false) ? exitCodes.lacking : exitCodes.fine;
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
  io.stdout.write(`${[table, ...projects, BEYOND].join("\n")}\n`);
  return exitCode;
}

async function answersAbout(
  permissions: readonly ApiKeyPermission[],
  stack: string | undefined,
  io: CliIo,
): Promise<readonly (boolean | undefined)[]> {
  const api = openApi(await configOfStack(io, stack), io);
  const call = { purpose: "find out what the API key may do" };
  return Promise.all(permissions.map((permission) => isHeld(api, permission, call))).finally(() => api.close());
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
    for (const id of reached.parse(inputs)) projectIds.add(id);
  }
  for (const note of made.notes ?? [])
    if (note.note === "lookup") needed.add(resourceTypeOf(note.path), "read", note.name);
}

const ids = z.array(z.string()).catch([]);
const reached = z
  .object({ projectId: z.string().optional().catch(undefined), projectIds: ids.optional() })
  .transform(({ projectId, projectIds = [] }) => [...(projectId === undefined ? [] : [projectId]), ...projectIds])
  .catch([]);
