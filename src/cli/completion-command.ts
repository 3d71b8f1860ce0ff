import { Argument, type Command } from "commander";
import { addExamples, addExitCodes, type RunCommand } from "./command-flags";
import { exitCodes } from "./exit-codes";
import { stackNames, type PulumiIo } from "./pulumi/run-pulumi";

/** The script for each shell. It calls `cloudinfra complete`, which knows the commands of the installed version. */
const SCRIPTS = {
  bash: `# bash completion of cloudinfra: source <(cloudinfra completion bash)
_cloudinfra() {
  local found current="\${COMP_WORDS[COMP_CWORD]}"
  found=$(cloudinfra complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null | cut -d ' ' -f 1)
  if [ "$found" = - ]; then
    COMPREPLY=($(compgen -f -- "$current"))
  else
    COMPREPLY=($(compgen -W "$found" -- "$current"))
  fi
}
complete -F _cloudinfra cloudinfra
`,
  zsh: `#compdef cloudinfra
# zsh completion of cloudinfra: source <(cloudinfra completion zsh)
_cloudinfra() {
  local found
  found=$(cloudinfra complete -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null | cut -d ' ' -f 1)
  if [[ "$found" = - ]]; then
    _files
  else
    compadd -- \${(f)found}
  fi
}
compdef _cloudinfra cloudinfra
`,
  fish: `# fish completion of cloudinfra: cloudinfra completion fish | source
function __cloudinfra_complete
    set -l found (cloudinfra complete -- (commandline -opc)[2..-1] 2>/dev/null)
    if test "$found" = -
        __fish_complete_path (commandline -ct)
    else
        string replace ' ' \\t -- $found
    end
end
complete -c cloudinfra -f -a '(__cloudinfra_complete)'
`,
} as const;

export function addCompletionCommand(program: Command, run: RunCommand): void {
  const completion = program
    .command("completion")
    .description("Print a script that lets a shell complete commands and flags.")
    .addArgument(new Argument("<shell>", "The shell.").choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) =>
      run({}, ({ stdout }) => {
        stdout.write(SCRIPTS[shell]);
        return Promise.resolve(exitCodes.fine);
      }),
    );
  addExitCodes(completion);
  addExamples(completion, "source <(cloudinfra completion bash)", "cloudinfra completion fish | source");
  program
    .command("complete", { hidden: true })
    .description("Print the words that may follow these, with their descriptions; - for any text or file.")
    .argument("[words...]")
    .action((words: readonly string[]) =>
      run({}, async (io) => {
        const found = await candidates(program, words, io);
        io.stdout.write(found.map((each) => `${each.join(" ")}\n`).join(""));
        return exitCodes.fine;
      }),
    );
}

const ANYTHING = [["-"]];

async function candidates(
  program: Command,
  words: readonly string[],
  io: PulumiIo,
): Promise<readonly (readonly string[])[]> {
  const command = words.reduce((at, word) => at.commands.find((sub) => sub.name() === word) ?? at, program);
  const help = command.createHelp();
  const flags = help
    .visibleOptions(command)
    .flatMap((option) => [option.long, option.short].flatMap((name) => (name ? [{ name, option }] : [])));
  const flag = flags.find(({ name }) => name === words.at(-1))?.option;
  if (flag?.long === "--stack") return ((await stackNames(io)) ?? []).map((name) => [name]);
  if (flag?.required) return flag.argChoices?.map((choice) => [choice]) ?? ANYTHING;
  return [
    ...help.visibleCommands(command).map((sub) => [sub.name(), sub.description()]),
    ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
      argChoices.map((choice) => [choice, description]),
    ),
    ...flags.map(({ name, option }) => [name, option.description]),
  ];
}
