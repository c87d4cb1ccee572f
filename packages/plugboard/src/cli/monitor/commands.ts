import { type Command } from 'commander';
import type { DefinitionTools } from '../command/define.js';
import { numberThat } from '../command/parse-number.js';
import type { MonitorInput } from './monitor.js';

const HELP = `
The hub probes servers on a schedule when \`monitor.enabled\` is set in plugboard.json; see docs/monitor.md. On a terminal the
view is live and ends with Ctrl-C. With --json, or when the output is not a terminal, it is printed once.
Exit code 1: a server is down, with --once, --probe or --json.

Examples:
  plugboard monitor
  plugboard monitor --probe --once
  plugboard monitor files --json`;

const parseEvery = numberThat('a number of seconds from 0.5 to 3600', (value) => value >= 0.5 && value <= 3_600);

export const defineMonitorCommand = ({ define, run }: DefinitionTools): void => {
  define('monitor', 'show availability, latency and alerts of the servers')
    .argument('[server]', 'only this server')
    .option('--once', 'print the state once')
    .option('--probe', 'probe the servers now, even if the hub has no schedule')
    .option('--every <seconds>', 'how often the view is refreshed (default: 2)', parseEvery)
    .addHelpText('after', HELP)
    .action((server: string | undefined, options: Partial<MonitorInput>, command: Command) =>
      run(command, () => import('./monitor.js'), 'run', { once: false, probe: false, every: 2, ...options, server }),
    );
};
