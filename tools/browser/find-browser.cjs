// CommonJS, because jest's tests use it beside the tools.
const { accessSync, constants } = require("node:fs");
const { delimiter, join } = require("node:path");

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const HOW_TO_GET_ONE =
  "The tests of the HTML report need a browser: install chromium (on Debian, `apt-get install chromium`), or set CHROME_PATH to a Chrome.";

/** The path of a Chromium: CHROME_PATH, or the first one on PATH; undefined if there is none. */
function findBrowser(env = process.env) {
  if (env.CHROME_PATH) return isExecutable(env.CHROME_PATH) ? env.CHROME_PATH : undefined;
  const folders = (env.PATH ?? "").split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

module.exports = { findBrowser, HOW_TO_GET_ONE };

if (require.main === module) {
  const browser = findBrowser();
  if (browser) console.log(browser);
  else console.error(HOW_TO_GET_ONE);
  process.exitCode = browser ? 0 : 1;
}
