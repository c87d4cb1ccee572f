import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeHub } from '../../packages/plugboard/src/compose/compose-hub.js';
import type { Hub } from '../../packages/plugboard/src/compose/hub.js';
import { listen, type ListenOptions } from '../../packages/plugboard/src/http-server/listen.js';
import type { Logger } from '../../packages/plugboard/src/log/logger.js';
import type { Settings } from '../../packages/plugboard/src/settings/settings.js';
import { freshSettings } from '../../packages/plugboard/src/test-support/fresh-settings.js';
import { rememberKey } from './hub-keys.js';
import { startWorkersHub } from './workers-hub.js';
import { workersOfTests } from './workers-of-tests.js';

export interface RealHub {
  readonly url: string;
  /** What opens everything: the key that a hub leaves in its home. */
  readonly key: string;
  readonly serveStdio: Hub['serveStdio'];
  readonly openSignInLink: Hub['openSignInLink'];
  readonly close: () => Promise<void>;
  /** Stops as a hub does that is told to: what is under way gets so much time. */
  readonly stop: (graceMs: number) => Promise<void>;
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface RealHubOptions {
  /** Settings that differ from those of a fresh install. */
  readonly settings?: Partial<Settings>;
  readonly log?: Logger;
  readonly timeouts?: ListenOptions['timeouts'];
}

/**
 * The hub as it is composed for users, in this process, on a free port, and in a home of its own if none is given. In the
 * project `workers` it is the built one, with several processes.
 */
export const startRealHub = async (options: RealHubOptions = {}): Promise<RealHub> => {
  const workers = workersOfTests();
  if (workers !== undefined) return startWorkersHub(workers, options);
  const { settings: changes, log = silent, timeouts } = options;
  const home = changes?.home ?? (await mkdtemp(join(tmpdir(), 'plugboard-hub-')));
  const settings = { ...freshSettings(home), ...changes };
  const hub = await composeHub(settings, log);
  const listening = await listen(hub, { ...settings, timeouts });
  const end = async (graceMs: number): Promise<void> => {
    await listening.close(graceMs);
    await hub.close();
    if (changes?.home === undefined) await rm(home, { recursive: true, force: true });
  };
  rememberKey(listening.url, hub.localKey);
  return {
    url: listening.url,
    key: hub.localKey,
    openSignInLink: () => hub.openSignInLink(),
    serveStdio: (streams, signal, endpoint) => hub.serveStdio(streams, signal, endpoint),
    close: () => end(0),
    stop: (graceMs) => {
      listening.refuseNew();
      hub.beginStopping();
      return end(graceMs);
    },
  };
};
