/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;
