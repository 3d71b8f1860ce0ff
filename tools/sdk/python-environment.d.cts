/** The folder on PATH with the language host. Undefined if there is none. */
export function languageHost(language: string, path?: string): string | undefined;

/**
 * Installs a generated SDK into `folder`, as `pip install` does, with the Python that is beside the language host. Answers the environment of
 * a program that uses it.
 */
export function pythonEnvironment(sdk: string, folder: string): Readonly<Record<string, string>>;
