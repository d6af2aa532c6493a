import type { Command, Option } from 'commander';
import { CommandError, exitCodes } from '../exit-codes.js';
import type { Session } from '../session.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Word by which the shell asks for what may follow. */
export const ASKS_FOR_WORDS = '__complete';

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# davit completion bash > /etc/bash_completion.d/davit
_davit() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(davit ${ASKS_FOR_WORDS} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _davit davit`,
  zsh: `#compdef davit
# davit completion zsh > "\${fpath[1]}/_davit"
_davit() {
  local -a found
  found=(\${(f)"$(davit ${ASKS_FOR_WORDS} "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)"})
  compadd -a found || _files
}
compdef _davit davit`,
  fish: `# davit completion fish > ~/.config/fish/completions/davit.fish
complete -c davit -f -a '(davit ${ASKS_FOR_WORDS} (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
};

/** Prints the script that makes a shell ask davit for what may follow. */
export function completion(session: Session, shell: string): void {
  const known = SHELLS.find((one) => one === shell);
  if (known === undefined) {
    const message = `error  "${shell}" is no shell that can be served; write one of: ${SHELLS.join(', ')}.`;
    throw new CommandError(exitCodes.badInput, message);
  }
  session.out.write(`${SCRIPTS[known]}\n`);
}

/** Words that may stand where the last of these is being written: commands, options, and what an option may be. */
export function wordsAfter(program: Command, words: readonly string[]): readonly string[] {
  const written = words.at(-1) ?? '';
  let command = program;
  let awaited: Option | undefined;
  for (const word of words.slice(0, -1)) {
    if (awaited) {
      awaited = undefined;
      continue;
    }
    const option = optionsOf(command, program).find(({ short, long }) => word === short || word === long);
    if (option) awaited = option.required || option.optional ? option : undefined;
    else command = command.commands.find((one) => one.name() === word) ?? command;
  }
  const wanted = awaited ? (awaited.argChoices ?? []) : candidates(command, program, written);
  return wanted.filter((word) => word.startsWith(written));
}

function candidates(command: Command, program: Command, written: string): readonly string[] {
  if (written.startsWith('-')) return optionsOf(command, program).flatMap(({ long }) => long ?? []);
  const [argument] = command.registeredArguments;
  const choices = argument?.argChoices ?? argument?.description.split(' | ').filter((word) => /^[a-z-]+$/.test(word));
  return [...command.commands.map((one) => one.name()), ...(choices ?? [])];
}

const optionsOf = (command: Command, program: Command): readonly Option[] =>
  command === program ? program.options : [...command.options, ...program.options];
