import { type Command, Option } from 'commander';

/** What every command takes. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly home?: string;
  readonly config?: string;
  readonly hub?: string;
}

const COMMON: readonly (readonly [flags: string, description: string])[] = [
  ['--json', 'write one JSON value to stdout and nothing else'],
  ['-q, --quiet', 'only what was asked for: no remarks, no progress'],
  ['--home <directory>', 'where state is kept (PLUGBOARD_HOME; default ~/.plugboard)'],
  ['--config <file>', 'the configuration file (PLUGBOARD_CONFIG; default plugboard.json in the home)'],
  ['--hub <url>', 'a hub to talk to (PLUGBOARD_HUB_URL; default the one that runs on this home)'],
];

export const COMMON_GROUP = 'Common options:';

/** They may stand before the command as well as after it. */
export const addCommonOptions = (command: Command): Command => {
  for (const [flags, description] of COMMON) {
    command.addOption(new Option(flags, description).helpGroup(COMMON_GROUP));
  }
  return command;
};
