import { discard } from "./recovery/created-object";
import { OwnCredentialError } from "./errors";
import { hiddenOf, visibleOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";
import { ownAddress } from "./own-address";
import type { Run } from "./run";
import type { Doing } from "./settle";
import { urnParts } from "../urn";

/** The secret of a key that the provider itself signs in with, or has signed in with. */
function credentialIn(kind: ResourceKind, run: Run, outputs: Props): string | undefined {
  return secretsIn(kind, outputs).find((secret) => run.api.knowsCredential(secret));
}

function secretsIn(kind: ResourceKind, outputs: Props): string[] {
  return kind.secretOutputs.map((field) => outputs[field]).filter((secret) => typeof secret === "string");
}

/** A change of a resource, as diff has found it. */
interface ProposedChange {
  readonly id: string;
  readonly urn: string;
  readonly olds: Props;
  readonly news: Props;
  readonly isReplaced: boolean;
}

/**
 * Says in preview that a change is about the key that the provider signs in with. Throws OwnCredentialError where the change
 * would take from it what the provider needs to go on.
 */
export async function guardOwnCredential(kind: ResourceKind, run: Run, change: ProposedChange): Promise<void> {
  const { id, urn, olds, news, isReplaced } = change;
  if (credentialIn(kind, run, olds) === undefined) return;
  const address = await ownAddress(run, id);
  const findings = kind.guardCredential?.(olds, visibleOf(news), address) ?? [];
  const failures = findings.filter(({ severity }) => severity === "failure");
  if (failures.length > 0) {
    const reasons = failures.map(({ field, reason }) => `${field}: ${reason}`).join("; ");
    throw new OwnCredentialError(
      `The provider signs in with this key (${run.api.credentialSource()}), so the change would lock it out: ${reasons}. ` +
        `To make the change, sign in with another key.`,
    );
  }
  for (const { field, reason } of findings) await run.rows.line(urn, "warning", `${field}: ${reason}`);
  const consequence = isReplaced
    ? `the rest of the run signs in with the new key, and the old key expires on ${String(olds["expiresAt"])}`
    : "it stays as it is until the change is made";
  await run.rows.line(
    urn,
    "info",
    `the provider signs in with this key (${run.api.credentialSource()}): ${consequence}`,
  );
}

/**
 * Called with the new half of a replacement: where the old key is what the process signs in with, the new one takes over, and
 * the outputs remember the old one, so that a later run deletes it.
 */
export async function succeedOwnCredential(
  kind: ResourceKind,
  run: Run,
  urn: string,
  id: string,
  wire: Props,
): Promise<Props> {
  const seen = run.memory.of(urn);
  if (!seen?.replaced || !seen.outputs || seen.id === undefined) return {};
  const { outputs } = seen;
  const carried = hiddenOf(outputs).retired;
  if (credentialIn(kind, run, outputs) === undefined) return carried.length > 0 ? { __retired: carried } : {};
  const shown = kind.fromWire(wire);
  const [successor] = secretsIn(kind, shown);
  if (successor !== undefined && shown["status"] === "active") {
    run.api.useCredential({ apiKey: successor, source: `the state: key ${id} of "${urnParts(urn).name}"` });
    await run.rows.line(urn, "info", `the rest of this run signs in with the new key ${id}`);
  }
  return { __retired: [...carried, seen.id] };
}

/** Whether a key must not be deleted, because the provider signs in with it. Then it is named, with what to do. */
export async function staysAsCredential(
  kind: ResourceKind,
  run: Run,
  urn: string,
  id: string,
  props: Props,
): Promise<boolean> {
  if (credentialIn(kind, run, props) === undefined) return false;
  const isReplaced = run.memory.of(urn)?.replaced !== undefined;
  const advice = isReplaced
    ? `Put its successor into the configuration, and the next run deletes the old one:\n  ${commandToConfigure(urn)}`
    : "Delete it with another key, or in the dashboard.";
  await run.rows.line(
    urn,
    "warning",
    `this run signed in with ${kind.noun} ${id}, so it does not delete it: the key expires on ${String(props["expiresAt"])}. ${advice}`,
  );
  return true;
}

/** A command that moves the secret from the state to the configuration without showing it. */
export function commandToConfigure(urn: string): string {
  // Logical names may hold quotes: JSON's escapes are jq's, and a shell ends a quoted text at the next quote.
  const filter = `.deployment.resources[] | select(.urn == ${JSON.stringify(urn)} and .delete != true) | .outputs.key.plaintext | fromjson`;
  return `pulumi stack export --show-secrets | jq -r '${filter.replaceAll("'", `'\\''`)}' | pulumi config set --secret cloudinfra:apiKey`;
}

/** The keys that this one has replaced and that can go now: it signs in itself. */
export function retiredToDelete(kind: ResourceKind, run: Run, outputs: Props): readonly string[] {
  const { retired } = hiddenOf(outputs);
  return retired.length > 0 && secretsIn(kind, outputs).some((secret) => run.api.signsInWith(secret)) ? retired : [];
}

/** Deletes the keys that this one has replaced, where they can go; the outputs remember those that can't yet. */
export async function deleteRetired(doing: Doing, outputs: Props): Promise<Props> {
  const { kind, run } = doing;
  const { retired } = hiddenOf(outputs);
  const gone = retiredToDelete(kind, run, outputs);
  for (const id of gone) await discard(doing, visibleOf(outputs), id);
  const left = retired.filter((id) => !gone.includes(id));
  return left.length > 0 ? { __retired: left } : {};
}
