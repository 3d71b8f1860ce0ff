import { seededIds } from "../../../src/simulator/model/catalogs";
import type { RecordedRequest } from "../../support/proxy/exchange";
import { openEntries } from "../support/interruption";
import type { Session } from "../support/session";
import { screenLines } from "./screen";

/**
 * The result of a step as sorted lines that do not depend on the provider: what a person reads, the requests to the
 * API, the state, the objects at the API, and the open entries of the journal.
 */
export type Transcript = Readonly<Record<Part, readonly string[]>>;
const PARTS = ["screen", "requests", "state", "objects", "journal"] as const;
type Part = (typeof PARTS)[number];

/** The lines that only one provider has. */
export type Differences = Readonly<Partial<Record<Part, LinesByProvider>>>;
interface LinesByProvider {
  readonly dynamic: readonly string[];
  readonly native: readonly string[];
}

/** Replaces what differs with each stack, API or day. A name ends with a hash of its URN, which contains the type. */
const CHANCE: readonly (readonly [found: RegExp, text: string])[] = [
  [/(pulumi-nodejs:dynamic\/cloudinfra|cloudinfra:index):/g, ""],
  [/127\.0\.0\.1:\d+/g, "<host>"],
  [/\/tmp\/cloudinfra-stack-\w+/g, "<folder>"],
  [/(?<=-)[0-9a-f]{7}\b/g, "<hash>"],
  [/\d{4}-\d\d-\d\dT(?!00:00:00)[\d:.]+(Z|\+00:00)/g, "<time>"],
  [/\b\d+(\.\d+)? ?m?s\b/g, "<duration>"],
  [/(?<=expires in )\d+ (minutes?|hours?)/g, "<duration>"],
  // A quote is asked for again as often as its short time limit allows.
  [/(?<=\()\d+(?= attempts\))/g, "<number>"],
  // In a diff, a cost summary lists resources by their URNs, so by their types. The state's lines have the positions of
  // other lists.
  [/(?<=^[~+-] )\[\d+\](?=: \{$)/g, "[<position>]"],
  // What the API assigns in the order of the requests.
  [/\b(169\.254|198\.1[89])\.\d+\.\d+\b/g, "<address>"],
  [/(?<=private_?ip: ")[\d.]+/gi, "<address>"],
  [/(?<=asn: )\d+/gi, "<number>"],
  // The balance falls over time. A note may break before it.
  [/(?<=balance )\$[\d,.]+|\$[\d,.]+(?=, which lasts)/g, "<amount>"],
  // If several lists are requested at once, the first to fail is named.
  [/(?<=whether each ).+( of the program exists: list each ).+? \(GET \/v1\/\S+\)/g, "<noun>$1<noun>"],
];
/** Replaces the objects that a refresh or a destroy has not found, because their order is that of the answers. */
const OBJECT_LISTS = /(?<=objects (of the state|that this run was to delete): ).*(?=\. (A refresh|Each counts))/;
const UUID = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const seeded: ReadonlySet<string> = new Set(Object.values(seededIds));

export async function transcriptOf(
  session: Session,
  output: string,
  requests: readonly RecordedRequest[],
): Promise<Transcript> {
  const kept = session.kept().map(({ urn, ...resource }) => [nameOf(urn), keptOf(resource)] as const);
  const held = Object.entries(await session.api.held());
  return {
    screen: sortedLines(screenLines(output)),
    requests: sortedLines(requests.map(requestLine)).filter(isNews),
    state: sortedLines([
      ...kept.flatMap(([name, resource]) => lines(name, resource)),
      ...lines("outputs", session.outputs()),
    ]),
    objects: sortedLines(
      held.flatMap(([collection, objects]) =>
        objects.flatMap((object) => lines(`${collection} ${object.name}`, object)),
      ),
    ),
    journal: sortedLines(
      openEntries(session).map(({ type, name, warned, isHandedOver }) =>
        JSON.stringify({ type, name, isShared: warned?.length, isHandedOver }),
      ),
    ),
  };
}

/** The lines that only one provider has, by part. Empty if both have the same. */
export function differencesOf(dynamic: Transcript, native: Transcript): Differences {
  const found = PARTS.map((part): [Part, LinesByProvider] => [
    part,
    { dynamic: linesWithout(dynamic[part], native[part]), native: linesWithout(native[part], dynamic[part]) },
  ]);
  return Object.fromEntries(found.filter(([, { dynamic, native }]) => dynamic.length + native.length > 0));
}

function sortedLines(texts: readonly string[]): readonly string[] {
  return texts.map(plain).sort();
}

function plain(text: string): string {
  const named = text.replaceAll(UUID, (id) => (seeded.has(id) ? id : "<id>"));
  const ordered = named.replace(OBJECT_LISTS, (objects) => objects.split(", ").sort().join(", "));
  return CHANCE.reduce((result, [found, replacement]) => result.replaceAll(found, replacement), ordered);
}

/** How often a request is repeated, and whether an object is read from a list or by itself, depends on timing. */
function requestLine({ method, path, query, body, status }: RecordedRequest): string {
  // Resources of one price share a quote. Which of them asks depends on timing, too.
  if (path.endsWith("/cost"))
    return `${method} ${path} ${body.replace(/"name":"[^"]*"/, "")} → ${status ?? "no answer"}`;
  // Any list shows whether the key reaches the project. The first resource's list is used. Only this request has no
  // size of a page.
  if (method === "GET" && query.includes("project_id=") && !/\blimit=/.test(query)) return "GET a list of the project";
  if (method === "GET") return `GET ${path.replace(/\/[0-9a-f-]{36}$/, "")} → ${status ?? "no answer"}`;
  return `${method} ${path}${query} ${body} → ${status ?? "no answer"}`;
}

/**
 * No project is requested if another answer has shown that it exists, which depends on the order. A quote that fails is
 * asked for as often as its short time limit allows.
 */
function isNews(line: string, nth: number, all: readonly string[]): boolean {
  if (line.startsWith("GET /v1/projects ")) return false;
  return !/^GET |^POST \S+\/cost .* → 5\d\d$/.test(line) || all.indexOf(line) === nth;
}

/** A resource of the state without its provider, its times and its position in the program. */
function keptOf(resource: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const own = ["provider", "created", "modified", "sourcePosition", "stackTrace"];
  return Object.fromEntries(Object.entries(resource).filter(([key]) => !own.includes(key)));
}

/** A value as one line for each leaf, such as `net.outputs.tags[0]: "a"`. */
function lines(path: string, value: unknown): string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${path}: []`];
    return value.flatMap((item: unknown, index) => lines(`${path}[${keyOf(item) ?? index}]`, item));
  }
  if (typeof value !== "object" || value === null) return [`${path}: ${JSON.stringify(value)}`];
  if ("ciphertext" in value) return [`${path}: [secret]`];
  const entries = Object.entries(value).filter(([key]) => !HIDDEN.includes(key));
  return entries.flatMap(([key, member]) => lines(`${path}.${key}`, member));
}

/**
 * The text by which the engine loads a dynamic resource, the URN and the facts that its program sends, and the base URL
 * and the paths of secrets that its plugin notes.
 */
const HIDDEN: readonly string[] = ["__provider", "__urn", "__baseUrl", "__program", "__secretPaths"];

/** A cost summary lists resources by their URNs, so by their types. */
function keyOf(item: unknown): string | undefined {
  const { urn } = (item ?? {}) as { readonly urn?: unknown };
  return typeof urn === "string" ? nameOf(urn) : undefined;
}

function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}

/** The lines of one list that the other list does not have, counting repetitions. */
function linesWithout(from: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return from.filter((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count <= 0;
  });
}
