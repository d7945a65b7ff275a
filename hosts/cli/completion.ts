// Shell completion from the program's own declarations: the library's scripts, with file names, and a bash script that needs no other package.
import suggestions from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { example } from './options.ts';
import type { Terminal } from './terminal.ts';

/** What bash's completion package defines, where that package is not there. */
const WORDS_OF_LINE = `declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref() {
    words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur=\${COMP_WORDS[COMP_CWORD]}; prev=\${COMP_WORDS[COMP_CWORD-1]}
}
`;

/** Adds `complete SHELL`, and `complete -- WORDS`, which the shells' scripts ask. */
export function completion(program: Command, terminal: Terminal): void {
  tab(program);
  for (const command of program.commands.filter((one) => one.name() === 'complete')) {
    command.description("print a shell's completion script");
    example(command, 'source <(interlock complete bash)');
  }
  const library = suggestions as unknown as { parse(words: string[]): void; setup(name: string, executable: string, shell: string): void };
  const { parse, setup } = Object.getPrototypeOf(suggestions) as typeof library;
  library.parse = (words) => { terminal.out.write(withFiles(printed(() => parse.call(suggestions, words)))); };
  library.setup = (name, executable, shell) => {
    const script = printed(() => setup.call(suggestions, name, executable, shell));
    terminal.out.write(shell === 'bash' ? forBash(script) : script);
  };
}

/** Where nothing is suggested the value is free, mostly a file: the shell completes it by itself (directive 0). */
function withFiles(answer: string): string {
  return answer.startsWith(':') ? ':0\n' : answer;
}

/** Sourced twice without complaint, and file names where nothing is suggested. */
function forBash(script: string): string {
  return WORDS_OF_LINE + script.replace(/^readonly (?=ShellCompDirective)/gm, '').replace(/^complete -F /m, 'complete -o default -F ');
}

/** What the library prints to the console while it works. */
function printed(work: () => void): string {
  const { log } = console;
  let text = '';
  console.log = (line: unknown) => { text += `${String(line)}\n`; };
  try {
    work();
  } finally {
    console.log = log;
  }
  return text;
}
