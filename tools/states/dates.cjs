// CommonJS, because jest's tests use it beside the tools.

const DAY_MS = 86_400_000;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;

/** The midnight (UTC) before now. */
function today() {
  return Math.floor(Date.now() / DAY_MS) * DAY_MS;
}

/** Midnight UTC, this many days from now. */
function inDays(days) {
  return new Date(today() + days * DAY_MS).toISOString().replace(".000Z", "Z");
}

/**
 * Moves every date in a text by the days between two midnights, so that a date of next week is next week again. Every
 * time of day except midnight becomes noon, so that two recordings are equal.
 *
 * @returns {string}
 */
function moved(text, from, to) {
  return text.replaceAll(INSTANT, (instant) => {
    const time = Date.parse(instant);
    const midnight = Math.floor(time / DAY_MS) * DAY_MS;
    const date = new Date(midnight - from + to).toISOString().slice(0, 10);
    return `${date}T${time === midnight ? "00" : "12"}:00:00Z`;
  });
}

module.exports = { inDays, today, moved };
