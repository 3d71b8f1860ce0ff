/**
 * How the engine begins an error that names a property: with the value from the program. A path inside the property
 * follows.
 */
const FAILED_PROPERTY = /: property (\S+) value \{.*\} has a problem: (?=(\1[.[])?)/g;

/**
 * Converts the errors of the first-class provider to the form of the dynamic one, which names no properties to the
 * engine.
 */
export function inOneWording(output: string): string {
  return output.replace(
    FAILED_PROPERTY,
    (_found, input: string, path = "") => ` has a problem: ${path ? "" : `${input}: `}`,
  );
}

/** A row of the CLI's display: the sign of its operation, the type and name of the resource, and its text. */
const ROW = /^(?: ([-+~><=]{1,2}) +| {4})(\S+:\S+) (\S+)( .*)?$/;
/** The stack's row, before it has an operation, and the row of a resource of which nothing is said. */
const UNCHANGED = /^ {4}(pulumi:pulumi:Stack .*|\S+:\S+ \S+ *)$/;
const DIAGNOSED = /^ {2}(\S+) \((.*)\):$/;
/** The parts that differ in each run. A dot says that the run waits. */
const PASSING =
  /^(\.+$|Duration:|\[provider=|@ |View (Live|in)|Previewing|Updating|Refreshing|Destroying|Diagnostics:$|Outputs:$|Resources:$)/;

/** A run ends at its first failure. The number of unchanged resources until then depends on timing. */
const FAILED_RUN = /^ +\d+ errored$/m;
const COUNT_OF_UNCHANGED = /^ +\d+ unchanged\n/m;

/**
 * What a person reads when a run is over, line by line: the last row of each resource and operation, and everything
 * below. A line under Diagnostics names its resource.
 */
export function screenLines(output: string): string[] {
  return output.split(/^(?=(?:Previewing|Updating|Refreshing|Destroying) )/m).flatMap(runLines);
}

function runLines(run: string): string[] {
  const rows = new Map<string, string>();
  const others: string[] = [];
  let subject = "";
  const showsRefresh = / refreshing /.test(run);
  let isInOutputs = false;
  for (const line of (FAILED_RUN.test(run) ? run.replace(COUNT_OF_UNCHANGED, "") : run).split("\n")) {
    // Whether a refresh, also one before an update or a destroy, shows what is unchanged and the outputs depends on
    // timing. The state has them.
    if (/^\S/.test(line)) isInOutputs = line.startsWith("Outputs:") && showsRefresh;
    if (isInOutputs) continue;
    const [row, sign = "", type = "", name = ""] = ROW.exec(line) ?? [];
    const diagnosed = DIAGNOSED.exec(line);
    if (diagnosed) subject = `${diagnosed[2] ?? ""}: `;
    else if (/^\S/.test(line)) subject = "";
    if (showsRefresh && UNCHANGED.test(line)) continue;
    if (row !== undefined) rows.set(`${sign} ${type} ${name}`, lastRow(row));
    else if (line.trim() !== "" && !PASSING.test(line.trim()) && !diagnosed) others.push(subject + line.trim());
  }
  return [...rows.values(), ...others];
}

/**
 * Without the duration. The display may omit that a resource is done: the state has it. It may add a sign of activity
 * to a row, `@ previewing update....`, if the run waits. It may print the stack's row before it has counted the lines
 * under Diagnostics.
 */
function lastRow(row: string): string {
  return row
    .replace(/@ [a-z]+( [a-z]+)?\.+$/, "")
    .replace(/(?<= pulumi:pulumi:Stack \S+) .*$/, "")
    .replace(/ \(\d+(\.\d+)?s\)/, "")
    .replace(/ (creat|updat|delet)ing(?= |$)/, " $1ed");
}
