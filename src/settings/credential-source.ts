import { settingName } from "../engine/config-keys";

/** Where a credential comes from, in words for people. */
export interface CredentialSource {
  readonly source: string;
  /** What to do if the API refuses it. Absent if a valid key there is all that it takes. */
  readonly remedy?: string;
}

const remedyIfSaved = (provider: string | undefined): string =>
  `Set ${settingName("apiKey", provider)} to a valid key, unless it is one by now. Then run \`pulumi up\` first, or add ` +
  "`--run-program`: without it, a refresh or destroy takes the settings that the last update saved.";

/** The source of a key in the settings of the stack, or of an explicit provider. `isSaved`: the engine has it from the last update. */
export function ownSource(provider: string | undefined, isSaved: boolean): CredentialSource {
  const details = [
    ...(provider === undefined ? [settingName("apiKey", provider)] : []),
    ...(isSaved ? ["as the last update saved it"] : []),
  ];
  const owner = provider === undefined ? "the stack's configuration" : `the provider "${provider}"`;
  return {
    source: details.length === 0 ? owner : `${owner} (${details.join(", ")})`,
    ...(isSaved && { remedy: remedyIfSaved(provider) }),
  };
}
