import { Argument, type Command, type Option } from "commander";
import type { Run } from "./command";
import { exitCodes } from "./command-failure";

type Shell = "bash" | "zsh" | "fish";

export function addCompletionCommand(program: Command, run: Run): void {
  program
    .command("completion")
    .description("Print a script that lets a shell complete commands and flags.")
    .addArgument(new Argument("<shell>", "The shell.").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", "\nFor bash: source <(cloudinfra completion bash)")
    .action((shell: Shell) =>
      run({}, ({ stdout }) => {
        stdout.write(completionScript(program, shell));
        return Promise.resolve(exitCodes.fine);
      }),
    );
}

/** A command by its words, such as `cost comment github`, and the words that may follow. */
interface Completed {
  readonly words: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly flags: readonly CompletedFlag[];
}

interface CompletedFlag {
  readonly names: readonly string[];
  readonly description: string;
  /** Whether a value follows. If only some values are possible, these. */
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  readonly isStack: boolean;
}

/** Shell that prints the names of the project's stacks. */
const LIST_STACKS = `pulumi stack ls --json 2>/dev/null | sed -n 's/.*"name": "\\([^"]*\\)".*/\\1/p'`;

/** The completion script of a shell, made from the commands' own descriptions. */
function completionScript(program: Command, shell: Shell): string {
  const commands = [...completed(program, [])];
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands);
}

function* completed(command: Command, words: readonly string[]): Iterable<Completed> {
  const help = command.createHelp();
  yield {
    words: words.join(" "),
    commands: [
      ...help.visibleCommands(command).map((sub) => ({ name: sub.name(), description: sub.description() })),
      ...command.registeredArguments.flatMap(choicesOf),
    ],
    flags: help.visibleOptions(command).map(flagOf),
  };
  for (const sub of command.commands) yield* completed(sub, [...words, sub.name()]);
}

function choicesOf({ argChoices, description }: Argument): Completed["commands"] {
  return (argChoices ?? []).map((name) => ({ name, description }));
}

function flagOf({ long, short, description, required, optional, argChoices }: Option): CompletedFlag {
  const names = [long, short].filter((name) => typeof name === "string");
  const isStack = long === "--stack";
  return { names, description, takesValue: required || optional, choices: argChoices ?? [], isStack };
}

/** The part of the script that finds the command of the line, for shells that resemble `sh`. */
function casesOf(commands: readonly Completed[], indent: string): string {
  const quoted = (values: readonly string[]): string => `"${values.join(" ")}"`;
  return commands
    .map(({ words, commands: subs, flags }) => {
      const withChoices = flags.filter(({ choices }) => choices.length > 0);
      const values = withChoices.map(({ names, choices }) => `${names.join("|")}) choices=${quoted(choices)} ;;`);
      const stacks = flags.filter(({ isStack }) => isStack);
      const listed = stacks.map(({ names }) => `${names.join("|")}) choices=$(${LIST_STACKS}) ;;`);
      const files = flags.filter(({ takesValue, choices, isStack }) => takesValue && choices.length === 0 && !isStack);
      const free = files.length > 0 ? [`${files.flatMap(({ names }) => names).join("|")}) choices=- ;;`] : [];
      return [
        `${quoted([words])})`,
        `  choices=${quoted([...subs.map(({ name }) => name), ...flags.flatMap(({ names }) => names)])}`,
        `  case "$previous" in`,
        ...[...values, ...listed, ...free].map((line) => `    ${line}`),
        `  esac ;;`,
      ]
        .map((line) => `${indent}${line}`)
        .join("\n");
    })
    .join("\n");
}

/** The words of the line that name a command. */
function commandWords(commands: readonly Completed[]): string {
  const names = commands.flatMap(({ words }) => (words === "" ? [] : [`"${words}"`]));
  return names.join("|");
}

/** How a shell that resembles `sh` says what is particular to it. */
interface ShellWords {
  readonly locals: string;
  /** The words of the line before the one that is completed. */
  readonly typed: string;
  readonly offerFiles: string;
  readonly offerChoices: string;
}

/** The function that finds the command of the line and offers what may follow. */
function shellFunction(
  commands: readonly Completed[],
  { locals, typed, offerFiles, offerChoices }: ShellWords,
): string {
  return `_cloudinfra() {
  local ${locals} command="" choices="" word
  for word in ${typed}; do
    case "\${command:+$command }$word" in
      ${commandWords(commands)}) command="\${command:+$command }$word" ;;
    esac
  done
  case "$command" in
${casesOf(commands, "    ")}
  esac
  if [ "$choices" = - ]; then
    ${offerFiles}
  else
    ${offerChoices}
  fi
}`;
}

function bashScript(commands: readonly Completed[]): string {
  const complete = shellFunction(commands, {
    locals: `current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"`,
    typed: `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`,
    offerFiles: `COMPREPLY=($(compgen -f -- "$current"))`,
    offerChoices: `COMPREPLY=($(compgen -W "$choices" -- "$current"))`,
  });
  return `# bash completion of cloudinfra: source <(cloudinfra completion bash)
${complete}
complete -F _cloudinfra cloudinfra
`;
}

function zshScript(commands: readonly Completed[]): string {
  const complete = shellFunction(commands, {
    locals: `previous="\${words[CURRENT-1]}"`,
    typed: `"\${(@)words[2,CURRENT-1]}"`,
    offerFiles: "_files",
    offerChoices: "compadd -- ${=choices}",
  });
  return `#compdef cloudinfra
# zsh completion of cloudinfra: source <(cloudinfra completion zsh)
${complete}
compdef _cloudinfra cloudinfra
`;
}

function fishScript(commands: readonly Completed[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap(({ words, commands: subs, flags }) => {
    const when = `-n ${quoted(`__cloudinfra_at ${words}`.trim())}`;
    return [
      ...subs.map(({ name, description }) => `complete -c cloudinfra -f ${when} -a ${name} -d ${quoted(description)}`),
      ...flags.map(({ names, description, takesValue, choices, isStack }) =>
        [
          `complete -c cloudinfra ${when}`,
          ...names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)),
          ...(takesValue ? ["-r"] : []),
          ...(choices.length > 0 ? [`-f -a ${quoted(choices.join(" "))}`] : []),
          ...(isStack ? [`-f -a ${quoted(`(${LIST_STACKS})`)}`] : []),
          `-d ${quoted(description)}`,
        ].join(" "),
      ),
    ];
  });
  const known = commands.flatMap(({ words }) => (words === "" ? [] : [quoted(words)])).join(" ");
  return `# fish completion of cloudinfra: cloudinfra completion fish | source
function __cloudinfra_at
    set -l command
    for word in (commandline -opc)[2..-1]
        if contains -- (string join ' ' -- $command $word) ${known}
            set -a command $word
        end
    end
    test "$command" = "$argv"
end
${lines.join("\n")}
`;
}
