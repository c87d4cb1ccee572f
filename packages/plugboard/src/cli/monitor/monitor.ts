import { setTimeout as pause } from 'node:timers/promises';
import { EXIT, type ExitCode, type MonitorView, toPlugboardError } from '@plugboard/contract';
import { type MonitorClient, monitorClient } from '../../hub-api/client/monitor-client.js';
import { printableLine } from '../../terminal/printable.js';
import type { CommandContext } from '../command/command-context.js';
import { monitorWords } from './monitor-words.js';

export interface MonitorInput {
  readonly server?: string | undefined;
  readonly once: boolean;
  readonly probe: boolean;
  /** Seconds between two looks. */
  readonly every: number;
}

const HOME_AND_CLEAR = '\u001B[H\u001B[2J\u001B[3J';
const HIDE_CURSOR = '\u001B[?25l';
const SHOW_CURSOR = '\u001B[?25h';

const only = (view: MonitorView, name: string | undefined): MonitorView =>
  name === undefined
    ? view
    : {
        ...view,
        servers: view.servers.filter(({ server_name }) => server_name === name),
        alerts: view.alerts.filter(({ server_name }) => server_name === name),
      };

const probeAll = async (client: MonitorClient, view: MonitorView): Promise<void> => {
  for (const { server_name, state } of view.servers) if (state !== 'not-probed') await client.probe(server_name);
};

const exitCodeOf = ({ servers }: MonitorView): ExitCode =>
  servers.some(({ state }) => state === 'down' || state === 'failing') ? EXIT.failed : EXIT.ok;

/** Draws the view again and again until the user ends it. */
const live = async (context: CommandContext, look: () => Promise<MonitorView>, every: number): Promise<void> => {
  const { out, process } = context;
  let view: MonitorView | undefined;
  let trouble = '';
  process.stdout.write(HIDE_CURSOR);
  try {
    while (!process.signal.aborted) {
      try {
        view = await look();
        trouble = '';
      } catch (error) {
        if (process.signal.aborted) break;
        if (view === undefined) throw error;
        // The hub may be restarting: what was known last stays on the screen.
        trouble = `${out.style.red(printableLine(toPlugboardError(error).message))} Trying again.\n`;
      }
      const width = process.stdout.columns;
      const text = monitorWords(view, { style: out.style, width });
      const time = out.style.dim(`${new Date().toTimeString().slice(0, 8)}  Ctrl-C ends it.`);
      process.stdout.write(`${HOME_AND_CLEAR}${text}\n\n${trouble}${time}\n`);
      await pause(every * 1_000, undefined, { signal: process.signal }).catch(() => undefined);
    }
  } finally {
    process.stdout.write(SHOW_CURSOR);
  }
};

export const run = async (context: CommandContext, input: MonitorInput): Promise<ExitCode> => {
  const { out, hub, waiting } = context;
  const connected = await hub();
  const name = input.server === undefined ? undefined : (await connected.server(input.server)).server_name;
  const client = monitorClient(connected.api);
  const look = async (): Promise<MonitorView> => only(await client.view(), name);
  if (input.probe) {
    const before = await look();
    await waiting('Probing the servers', () => probeAll(client, before));
  }
  if (out.isTTY && !out.json && !input.once) {
    await live(context, look, input.every);
    return EXIT.ok;
  }
  const view = await look();
  out.data(view);
  if (view.servers.length === 0) out.note('No servers are registered yet. Register one: plugboard add --help');
  else out.text(monitorWords(view, out));
  return exitCodeOf(view);
};
