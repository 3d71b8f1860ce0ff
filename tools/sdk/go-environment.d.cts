/** The files of a program's module: what it says of itself, and the versions. */
export function goModule(own: string): Readonly<Record<"go.mod" | "go.sum", string>>;

/** As the engine was built, and with the same cache, so that Go does not compile the same packages again. */
export function goEnvironment(): Readonly<Record<string, string>>;
