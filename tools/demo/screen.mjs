const isTerminal = process.stdout.isTTY === true && !process.env.NO_COLOR && !process.env.CI;
const paint = (code, text) => (isTerminal ? `\u001b[${code}m${text}\u001b[0m` : text);

/** The heading of a step, with what it shows. */
export function heading(number, count, text) {
  console.log(
    `\n${paint("1;36", `── ${number}/${count} ${text} `)}${paint("36", "─".repeat(Math.max(0, 90 - text.length)))}\n`,
  );
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
