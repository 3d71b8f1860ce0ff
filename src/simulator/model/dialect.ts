/** The two spellings of the API: the specification's, and the public service's it was drawn from. */
export type Dialect = "spec" | "nirvana";

/** The members in which the dialects differ. */
export interface DialectNames {
  /** The block of the external cloud in a connect connection. */
  readonly externalProvider: "external_provider" | "aws";
  /** The platform's own region in a connect route. */
  readonly platformRegion: "platform_region" | "nirvana_region";
}

const names: Record<Dialect, DialectNames> = {
  spec: { externalProvider: "external_provider", platformRegion: "platform_region" },
  nirvana: { externalProvider: "aws", platformRegion: "nirvana_region" },
};

export function dialectNames(dialect: Dialect): DialectNames {
  return names[dialect];
}
