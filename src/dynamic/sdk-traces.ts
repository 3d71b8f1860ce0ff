type Prepare = NonNullable<typeof Error.prepareStackTrace>;

/** Files of Pulumi's SDK and of what it compiles a program with. */
const SDK_FILE = /[\\/](?:@pulumi[\\/]pulumi|ts-node)[\\/]/;

/** What V8 makes of a trace where nobody has set anything else. */
const plainTrace: Prepare = (error, frames) => [String(error), ...frames.map(String)].join("\n    at ");

/**
 * Lets the SDK's constructor go without the traces that it takes for its own debugging, until what is returned is called:
 * four for each property of a resource, each mapped to its sources at once, which with a hundred resources is half a second.
 * What people see stays: the trace of an error, which is made when somebody looks at it, and the resource's place in the
 * program, which the SDK reads from a trace without a limit. Frames of the file `between` are left out of that one: the SDK
 * expects one class between its own and the program. So are those that say how Pulumi came to run the program: the trace
 * stands in each resource's state, which the engine writes after each step.
 */
export function withoutDebugTraces(between: string): () => void {
  const given = Reflect.get(Error, "prepareStackTrace") as Prepare | undefined;
  const prepare = given ?? plainTrace;
  Error.prepareStackTrace = (error, frames): unknown => {
    if (Error.stackTraceLimit !== Infinity) return String(error);
    return prepare(error, withoutStart(frames.filter((frame) => frame.getFileName() !== between)));
  };
  return () => {
    Reflect.set(Error, "prepareStackTrace", given);
  };
}

/** What leads from the SDK's constructor to the program, and of what comes behind it only the program itself. */
function withoutStart(frames: readonly NodeJS.CallSite[]): NodeJS.CallSite[] {
  const first = frames.findIndex(isOfProgram);
  return frames.filter((frame, i) => i < first || isOfProgram(frame));
}

function isOfProgram(frame: NodeJS.CallSite): boolean {
  const file = frame.getFileName();
  return typeof file === "string" && !file.startsWith("node:") && !SDK_FILE.test(file);
}
