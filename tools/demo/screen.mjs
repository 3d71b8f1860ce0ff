const WIDTH = 80;

/** Whether a person looks on, at a terminal that can move its cursor. */
export const isTerminal =
  process.stdout.isTTY === true && process.stdin.isTTY === true && !process.env.CI && process.env.TERM !== "dumb";
const paint = (code, text) => (isTerminal && !process.env.NO_COLOR ? `\u001b[${code}m${text}\u001b[0m` : text);

/** The heading of a step, with what it shows. */
export function heading(number, count, text) {
  const title = `── ${number}/${count} ${text} `;
  console.log(`\n${paint("1;36", title)}${paint("36", "─".repeat(Math.max(0, WIDTH - title.length)))}\n`);
}

/** A command as a person would type it. */
export function command(text) {
  console.log(`${paint("2", "$")} ${paint("1", text)}`);
}

/** A result that held. */
export function held(text) {
  console.log(`${paint("32", "✔")} ${text}`);
}

/** What Pulumi prints, a line at a time, without the lines that only repeat. */
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
