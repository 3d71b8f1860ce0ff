import { noJournal, type Journal } from "./journal";

/** What is told in place of a system's error code. */
const REASON = "this user has no home folder: set HOME or XDG_STATE_HOME";

/** The journal of a user who has no home, as in many containers: nothing can be kept, and whoever creates something is told so. */
export const homelessJournal: Journal = {
  ...noJournal,
  write: () => Promise.reject(Object.assign(new Error(REASON), { code: REASON })),
};
