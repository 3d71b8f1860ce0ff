import { type Harness, type Json, keyRequest, type Reply } from "./harness";

/** Requests a key with the required members, and more. */
export function createKey(api: Harness, more: Json): Promise<Reply> {
  return api.call("POST", "/v1/api_keys", { body: { ...keyRequest(api.projectId), ...more } });
}

/** The keys in the simulator, without those of the system. */
export async function ownKeys(api: Harness): Promise<Json[]> {
  return ((await api.state())["apiKeys"] ?? []).filter(({ managed }) => !managed);
}
