import { EXIT, type ExitCode, PlugboardError } from '@plugboard/contract';
import { findRunningHub } from '../../hub-api/connect/running-hub.js';
import type { CommandContext } from '../command/command-context.js';

/** The key that the running hub left in its home, for scripts of its owner. */
export const run = async ({ process, out, settings }: CommandContext): Promise<ExitCode> => {
  const { home } = await settings();
  const running = await findRunningHub(home, { fetch, isAlive: process.isAlive, signal: process.signal });
  if (running.state !== 'answers' || running.key === undefined) {
    throw new PlugboardError('HUB_UNREACHABLE', 'No hub runs on this home.', {
      hint: 'Start it with `plugboard serve`; `plugboard key create` creates a key that survives a restart.',
    });
  }
  out.data({ url: running.url, key: running.key });
  out.text(running.key);
  return EXIT.ok;
};
