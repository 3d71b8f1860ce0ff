/** The comments before the keys of the configuration. Throws if a key has none. */
export function settingDescriptions(root: string, keys: readonly string[]): Readonly<Record<string, string>>;
