/** How the engine begins a failure that names a property: with the value that the program gave. A path inside it follows. */
const FAILED_PROPERTY = /: property (\S+) value \{.*\} has a problem: (?=(\1[.[])?)/g;

/** The failures of the first-class provider as the dynamic one words them, which does not name properties to the engine. */
export function inOneWording(output: string): string {
  return output.replace(
    FAILED_PROPERTY,
    (_found, input: string, path = "") => ` has a problem: ${path ? "" : `${input}: `}`,
  );
}

/** A row of the CLI's display: the sign of its operation, type and name of the resource, and what is said of it. */
const ROW = /^(?: ([-+~><=]{1,2}) +| {4})(\S+:\S+) (\S+)( .*)?$/;
const DIAGNOSED = /^ {2}(\S+) \((.*)\):$/;
/** What is another in each run, or of the run itself. */
const PASSING =
  /^(Duration:|\[provider=|@ |View (Live|in)|Previewing|Updating|Refreshing|Destroying|Diagnostics:$|Outputs:$|Resources:$)/;

/** A run ends at its first failure: how many others were seen to be unchanged until then is a matter of time. */
const FAILED_RUN = /^ +\d+ errored$/m;
const UNCHANGED = /^ +\d+ unchanged\n/m;

/**
 * What a person reads when a run is over, line by line: the last row of each resource and operation, and everything below. A line under
 * Diagnostics says of which resource it is.
 */
export function screenLines(output: string): string[] {
  return output.split(/^(?=(?:Previewing|Updating|Refreshing|Destroying) )/m).flatMap(runLines);
}

function runLines(run: string): string[] {
  const rows = new Map<string, string>();
  const others: string[] = [];
  let subject = "";
  const isRefresh = run.startsWith("Refreshing");
  let isInOutputs = false;
  for (const line of (FAILED_RUN.test(run) ? run.replace(UNCHANGED, "") : run).split("\n")) {
    // Whether a refresh shows the unchanged outputs is a matter of time. The state has them.
    if (/^\S/.test(line)) isInOutputs = line.startsWith("Outputs:") && isRefresh;
    if (isInOutputs) continue;
    const [row, sign = "", type = "", name = ""] = ROW.exec(line) ?? [];
    const diagnosed = DIAGNOSED.exec(line);
    if (diagnosed) subject = `${diagnosed[2] ?? ""}: `;
    else if (/^\S/.test(line)) subject = "";
    if (row !== undefined) rows.set(`${sign} ${type} ${name}`, lastRow(row));
    else if (line.trim() !== "" && !PASSING.test(line.trim()) && !diagnosed) others.push(subject + line.trim());
  }
  return [...rows.values(), ...others];
}

/**
 * Without the time it took. The display may leave out that a resource is done: the state has it. It may add its own sign of life to a row,
 * `@ previewing update....`, if the run waits. It may print the stack's row before it has counted what stands under Diagnostics.
 */
function lastRow(row: string): string {
  return row
    .replace(/@ [a-z]+( [a-z]+)?\.+$/, "")
    .replace(/(?<= pulumi:pulumi:Stack \S+) .*$/, "")
    .replace(/ \(\d+(\.\d+)?s\)/, "")
    .replace(/ (creat|updat|delet)ing(?= |$)/, " $1ed");
}
