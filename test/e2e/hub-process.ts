import { rememberKey } from '../support/hub-keys.js';
import { ended, ownerKey, start, until } from './cli-process.js';

export interface HubProcess {
  readonly url: string;
  /** Ends it without a word. */
  readonly kill: () => Promise<void>;
  /** Tells it to stop, and waits until it has. */
  readonly stop: () => Promise<void>;
}

/** A hub in a process of its own. */
export const startHubProcess = async (
  home: string,
  env: Readonly<Record<string, string>> = {},
  port = '0',
): Promise<HubProcess> => {
  const child = start(['serve', '--port', port], { home, env });
  child.stdin?.end();
  child.stderr?.resume();
  const [url] = await until(child, /http:\/\/[\d.]+:\d+/u);
  rememberKey(url, await ownerKey(home));
  const end = (signal: NodeJS.Signals) => async (): Promise<void> => {
    child.kill(signal);
    await ended(child);
  };
  return { url, kill: end('SIGKILL'), stop: end('SIGTERM') };
};

/** The same address again, for those who know it. */
export const portOf = (url: string): string => new URL(url).port;
