import { total } from "../requests.mjs";
import { goal } from "../tables.mjs";

const CALLS_PER_OBJECT = 2.2;

/** The goals of the landing zone: they count calls, so they hold on any machine. */
export function landingZoneGoals({ created, collections, phases }) {
  const callsOf = (phase) => phases[phase].package.calls;
  const { "clock read": clockReads = 0, ...others } = callsOf("no-change preview");
  const perObject = total(callsOf("up")) / created;
  const reads = total(callsOf("refresh"));
  return [
    goal(
      "no-change preview, calls: 0, and one for the API's time because keys rotate",
      `${total(others)} and ${clockReads}`,
      total(others) === 0 && clockReads <= 1,
    ),
    // None of its collections has a second page.
    goal(`refresh, calls for ${collections} collections, at most ${collections}`, String(reads), reads <= collections),
    goal(
      `up, calls for each created object, at most ${CALLS_PER_OBJECT}`,
      perObject.toFixed(2),
      perObject <= CALLS_PER_OBJECT,
    ),
  ];
}
