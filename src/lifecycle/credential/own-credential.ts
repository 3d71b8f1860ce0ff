import { settingName } from "../../engine/settings-list";
import { urnParts } from "../../engine/urn";
import type { CredentialCapability, DeletionOfOld } from "../../definition/capabilities";
import { findingText, isFailure } from "../../definition/rule-context";
import { deletionOfOld, deletionOfReplaced } from "./retirement";
import { OwnCredentialError } from "../errors";
import { reportWarnings } from "../report-findings";
import type { Props, ResourceKind, RunResource } from "../kind/kind";
import type { ResourceMemory, ResourceState } from "../resource-request";
import type { ObjectRun, ProposedUpdate, ResourceCall } from "../objects/resource-call";
import { ApiError } from "../../api/errors";
import type { Api } from "../../api/client";
import { requestsOf, usersIn } from "./key-uses";

/** The credential capability, if the provider itself signs in with this object, or has done so in this run. */
export function ownCredential(
  { credential }: ResourceKind,
  run: ObjectRun,
  outputs: Props,
): CredentialCapability | undefined {
  const secret = credential && secretOf(credential, outputs);
  return secret !== undefined && run.api.credentials.has(secret) ? credential : undefined;
}

/** Whether the provider signs in with this object now. */
export function isSignedInWith({ credential }: ResourceKind, run: ObjectRun, outputs: Props): boolean {
  const secret = credential && secretOf(credential, outputs);
  return secret !== undefined && run.api.credentials.current.apiKey === secret;
}

/** The secret that the provider signs in with. */
export function secretOf({ secret }: CredentialCapability, outputs: Props): string | undefined {
  const value = outputs[secret];
  return typeof value === "string" ? value : undefined;
}

/** The expiry of an object with a credential, for messages. Empty for a kind without a credential. */
export function endOf({ credential }: ResourceKind, outputs: Props): string {
  return credential ? String(outputs[credential.endsAt]) : "";
}

interface ProposedChange extends Omit<ProposedUpdate, "changed" | "ownParts"> {
  readonly isReplaced: boolean;
  readonly isPreview: boolean;
}

/**
 * Says in a preview what a change of the provider's own credential means for the run. Throws OwnCredentialError, also
 * in an update, if the change would lock the provider out.
 */
export async function guardOwnCredential(change: ProposedChange): Promise<void> {
  const { kind, run, id, urn, olds, news, isReplaced, isPreview } = change;
  const credential = ownCredential(kind, run, olds);
  if (!credential) return;
  const provider = { type: kind.type, address: await ownAddress(run.api, id), now: run.api.now() };
  const findings = credential.lockOut(olds, news, provider);
  const failures = findings.filter(isFailure);
  const subject = `The provider signs in with this ${credential.word} (${run.api.credentials.current.source})`;
  if (failures.length > 0) {
    const reasons = failures.map(findingText).join("; ");
    throw new OwnCredentialError(
      `${subject}, so the change would lock it out: ${reasons}. ` +
        `To make the change, sign in with another ${credential.word}.`,
    );
  }
  if (!isPreview) return;
  await reportWarnings(run, urn, findings);
  const consequence = isReplaced
    ? `the rest of the run signs in with the new ${credential.word}, and the old ${credential.word} expires on ${endOf(kind, olds)}`
    : `the update changes the ${credential.word} in place, and the run goes on with it`;
  await run.rows.line(urn, "info", `${subject.replace(/^T/, "t")}: ${consequence}`);
}

/**
 * The credential capability, if this is the new object of a replacement and the provider signs in with the replaced
 * object.
 */
export function credentialToSucceed({ kind, run, urn }: ResourceCall): CredentialCapability | undefined {
  const facts = run.memory.of(urn);
  return facts?.replaced && facts.outputs && ownCredential(kind, run, facts.outputs.props);
}

/**
 * Called with the new object of a replacement. If the provider signs in with the replaced object, it signs in with the
 * new one from now on.
 */
export async function succeedOwnCredential(call: ResourceCall, id: string, outputs: Props): Promise<void> {
  const { run, urn } = call;
  const credential = credentialToSucceed(call);
  if (!credential) return;
  const successor = secretOf(credential, outputs);
  if (successor === undefined || !credential.isAccepted(outputs)) return;
  run.api.credentials.use({
    apiKey: successor,
    source: `the state: ${credential.word} ${id} of "${urnParts(urn).name}"`,
  });
  await run.rows.line(urn, "info", `the rest of this run signs in with the new ${credential.word} ${id}`);
}

/**
 * Keeps an object that the provider signs in with: returns true if it must not be deleted. The row then names it and
 * says what to do.
 */
export async function keepsOwnCredential(call: ResourceCall, id: string, outputs: Props): Promise<boolean> {
  const { kind, run, urn, request } = call;
  const credential = ownCredential(kind, run, outputs);
  if (!credential) return false;
  const then = run.memory.has(urn, id) ? whoDeletesOld(request.memory, deletionOfReplaced(call, id)) : "";
  const advice = run.memory.isReplaced(urn, id)
    ? howToSet(run, urn, credential, (key) => `Set ${key} to its successor${then}`)
    : `Delete it with another ${credential.word}, or in the dashboard.`;
  await run.rows.line(
    urn,
    "warning",
    `this run signed in with ${kind.noun} ${id}, so it does not delete it: the ${credential.word} expires on ${endOf(kind, outputs)}. ${advice}`,
  );
  return true;
}

/** Says which run deletes the old object. Empty if none does. */
function whoDeletesOld({ retainOnDelete }: ResourceMemory, deletion: DeletionOfOld): string {
  if (deletion === "never" || retainOnDelete) return "";
  if (deletion === "atOnce") return ", and the next run deletes the old one";
  return ", and a later run deletes the old one when no client uses it";
}

/**
 * If this object has replaced earlier ones, the settings may still have one of those. The error of a refused credential
 * then says where its successor is.
 */
export function hintAtSuccessor(
  { kind: { credential }, run, urn }: RunResource<ObjectRun>,
  memory: ResourceMemory,
): void {
  if (!credential || (memory.generation === 0 && memory.object.retired.length === 0)) return;
  const successor = `If it is an earlier ${credential.word} of "${urnParts(urn).name}", the state has its successor.`;
  run.api.credentials.addHint(howToSet(run, urn, credential, (key) => `${successor} Set ${key} to that`));
}

/** Warns in each run as long as the settings may still have an object that this one has replaced. */
export async function warnOfSuccessor(
  resource: RunResource<ObjectRun>,
  { props, memory }: Omit<ResourceState, "urn">,
): Promise<void> {
  const { kind, run, urn } = resource;
  const { credential } = kind;
  hintAtSuccessor(resource, memory);
  const own = memory.object.retired.filter(({ isOwn }) => isOwn);
  const isKnown = credential && secretOf(credential, props) !== undefined;
  if (!isKnown || own.length === 0 || isSignedInWith(kind, run, props)) return;
  const then = whoDeletesOld(memory, deletionOfOld(kind, props, own.at(-1)?.hasLeaked === true));
  const words = (key: string): string =>
    `this ${credential.word} is the successor of ${own.map(({ id }) => id).join(" and ")}, which the provider has signed in with. ` +
    `If ${key} still is the old one, set it to the new one${then}`;
  await run.rows.line(urn, "warning", howToSet(run, urn, credential, words));
}

/**
 * A sentence about the setting of the secret. If the setting is the stack's, the command that sets it from the state
 * follows.
 */
function howToSet(
  run: ObjectRun,
  urn: string,
  credential: CredentialCapability,
  words: (setting: string) => string,
): string {
  const { provider } = run.settings;
  const sentence = words(settingName("apiKey", provider));
  return provider === undefined ? `${sentence}:\n  ${commandToConfigure(urn, credential)}` : `${sentence}.`;
}

/**
 * The command that copies the secret from the state to the configuration without showing it. Without a secret it sets
 * nothing.
 */
export function commandToConfigure(urn: string, { secret }: Pick<CredentialCapability, "secret">): string {
  // Logical names may contain quotes, which must be escaped for jq (as in JSON) and for the shell.
  const filter = `.deployment.resources[] | select(.urn == ${JSON.stringify(urn)} and .delete != true) | .outputs.${secret}.plaintext | fromjson`;
  const read = `pulumi stack export --show-secrets | jq -er '${filter.replaceAll("'", `'\\''`)}'`;
  return `secret=$(${read}) && printf %s "$secret" | pulumi config set --secret cloudinfra:apiKey`;
}

/**
 * The address from which this credential's requests reach the API. Only the audit log shows it. Undefined if the key
 * may not read the log, or if the first hundred entries have none of the credential.
 */
async function ownAddress(api: Api, id: string): Promise<string | undefined> {
  const limits = { mostEntries: 100, purpose: "look for this machine's address" };
  try {
    const requests = await requestsOf(api, [{ id, enoughFrom: Infinity }], limits);
    return usersIn(requests.of(id))[0]?.address;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return undefined;
  }
}
