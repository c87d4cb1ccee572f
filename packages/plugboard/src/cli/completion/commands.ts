import { Argument, type Command } from 'commander';
import type { DefinitionTools } from '../command/define.js';
import { SHELLS, type Shell } from './script.js';

export const defineCompletionCommands = ({ define, run, describeProgram }: DefinitionTools): void => {
  define('completion', 'print the completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText(
      'after',
      `
bash:  plugboard completion bash > ~/.local/share/bash-completion/completions/plugboard
zsh:   plugboard completion zsh > "\${fpath[1]}/_plugboard"
fish:  plugboard completion fish > ~/.config/fish/completions/plugboard.fish`,
    )
    .action((shell: Shell, _options: unknown, command: Command) =>
      run(command, () => import('./completion-actions.js'), 'printScript', { shell }),
    );
  define('complete', 'answer the completion script', { hidden: true })
    .argument('[words...]', 'what was typed so far')
    .action((words: readonly string[], _options: unknown, command: Command) =>
      run(command, () => import('./completion-actions.js'), 'complete', { words, describeProgram }),
    );
};
