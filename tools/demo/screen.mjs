const WIDTH = 80;

/** True if a person is watching, at a terminal that can move its cursor. */
export const isTerminal =
  process.stdout.isTTY === true && process.stdin.isTTY === true && !process.env.CI && process.env.TERM !== "dumb";
const paint = (code, text) => (isTerminal && !process.env.NO_COLOR ? `\u001b[${code}m${text}\u001b[0m` : text);

/** Prints the heading of a step, and what it shows. */
export function heading(number, count, text) {
  const title = `── ${number}/${count} ${text} `;
  console.log(`\n${paint("1;36", title)}${paint("36", "─".repeat(Math.max(0, WIDTH - title.length)))}\n`);
}

/** Prints a command as a person would type it. */
export function command(text) {
  console.log(`${paint("2", "$")} ${paint("1", text)}`);
}

/** Prints a result that was verified. */
export function held(text) {
  console.log(`${paint("32", "✔")} ${text}`);
}

/** Prints Pulumi's output line by line, without repeated lines. */
export function pulumiPrinter() {
  let rest = "";
  return (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!/^@ |^\s*$|passphrase|View Live/.test(line)) console.log(`  ${line}`);
    }
  };
}
