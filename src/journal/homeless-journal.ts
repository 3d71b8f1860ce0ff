import { noJournal, type Journal } from "./journal";

/** The reason in messages, instead of a system's error code. */
const REASON = "this user has no home folder: set HOME or XDG_STATE_HOME";

/**
 * The journal of a user without a home, as in many containers. It keeps nothing, and says so to each run that creates
 * something.
 */
export const homelessJournal: Journal = {
  ...noJournal,
  write: () => Promise.reject(Object.assign(new Error(REASON), { code: REASON })),
};
