import { type Command, Option } from 'commander';

/** What every command takes. */
export interface SharedOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly home?: string;
  readonly config?: string;
  readonly hub?: string;
}

const SHARED: readonly (readonly [flags: string, description: string])[] = [
  ['--json', 'print one JSON value to stdout and nothing else'],
  ['-q, --quiet', 'print only the result: no remarks, no progress'],
  ['--home <directory>', 'the directory for the state (PLUGBOARD_HOME; default ~/.plugboard)'],
  ['--config <file>', 'the configuration file (PLUGBOARD_CONFIG; default plugboard.json in the home)'],
  ['--hub <url>', 'the hub to use (PLUGBOARD_HUB_URL; default: the hub running on this home)'],
];

export const SHARED_GROUP = 'Options of every command:';

/** They may stand before the command as well as after it. */
export const addSharedOptions = (command: Command): Command => {
  // Alone, help would be a group of its own that stands after this one.
  if (command.options.length === 0) {
    command.addHelpOption(new Option('-h, --help', 'show help').helpGroup(SHARED_GROUP));
  }
  for (const [flags, description] of SHARED) {
    command.addOption(new Option(flags, description).helpGroup(SHARED_GROUP));
  }
  return command;
};
