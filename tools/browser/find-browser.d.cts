/** The path of a Chromium: CHROME_PATH, or the first one on PATH; undefined if there is none. */
export function findBrowser(env?: NodeJS.ProcessEnv): string | undefined;

/** What to tell somebody who has none. */
export const HOW_TO_GET_ONE: string;
