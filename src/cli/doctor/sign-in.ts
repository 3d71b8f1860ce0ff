import { Api, type Credential } from "../../api/client";
import { ApiError, CloudinfraError, ForbiddenError, InvalidResponseError, UnauthorizedError } from "../../api/errors";
import type { Region } from "../../api/schema";
import type { Clock } from "../../time/clock";
import type { Settings } from "../../settings/config";
import { userAgent } from "../../process/version";

export interface SignIn {
  readonly credential: Credential;
  /** True if there was an answer, which may be of a proxy. */
  readonly isAnswered: boolean;
  /** How far the API's clock is ahead of this machine's, in milliseconds. Undefined if no answer shows its time. */
  readonly skewMs: number | undefined;
  readonly result:
    | { readonly status: "accepted"; readonly api: Api; readonly regions: readonly Region[]; readonly tookMs: number }
    /** The API refused the key: 401, or 403, because this call needs no permission. */
    | { readonly status: "refused"; readonly error: UnauthorizedError | ForbiddenError }
    /** The API did not judge the key: wrong settings, no answer, or an error. */
    | { readonly status: "failed"; readonly error: CloudinfraError };
}

/** Signs in with the key that the provider uses. */
export async function signIn(settings: Settings, clock: Clock): Promise<SignIn> {
  const { credential } = settings;
  let api: Api | undefined;
  const startedAt = clock.now();
  const skewMs = (): number | undefined => (api?.hasTime() ? api.now() - clock.now() : undefined);
  try {
    api = new Api({ ...settings, userAgent, clock });
    const regions: Region[] = [];
    // The regions need no permission: any valid key may read them (specification, section 4).
    for await (const region of api.regions.list({ retry: false, purpose: "sign in" })) regions.push(region);
    const tookMs = clock.now() - startedAt;
    return { credential, isAnswered: true, skewMs: skewMs(), result: { status: "accepted", api, regions, tookMs } };
  } catch (error) {
    await api?.close();
    if (!(error instanceof CloudinfraError)) throw error;
    const isRefusal = error instanceof UnauthorizedError || error instanceof ForbiddenError;
    return {
      credential,
      isAnswered: error instanceof ApiError || error instanceof InvalidResponseError,
      skewMs: skewMs(),
      result: isRefusal ? { status: "refused", error } : { status: "failed", error },
    };
  }
}
