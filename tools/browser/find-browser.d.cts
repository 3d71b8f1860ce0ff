/** The path of a Chromium: CHROME_PATH, or the first one on PATH; undefined if there is none. */
export function findBrowser(env?: NodeJS.ProcessEnv): string | undefined;

/** The message if there is no browser. */
export const HOW_TO_GET_ONE: string;
