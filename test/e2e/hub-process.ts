import { rememberKey } from '../support/hub-keys.js';
import { ended, ownerKey, start, until } from './cli-process.js';

export interface HubProcess {
  readonly url: string;
  readonly pid: number;
  /** Ends it without a word. */
  readonly kill: () => Promise<void>;
  /** Why it ended, when nobody in the test ended it. */
  readonly endedBySelf: () => string | undefined;
  /** Tells it to stop, and waits until it has. */
  readonly stop: () => Promise<void>;
}

const SAID = 2000;

/** A hub in a process of its own. */
export const startHubProcess = async (
  home: string,
  env: Readonly<Record<string, string>> = {},
  port = '0',
  main?: string,
): Promise<HubProcess> => {
  const child = start(['serve', '--port', port], { home, env, main });
  child.stdin?.end();
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString('utf8')).slice(-SAID)));
  let isAsked = false;
  let ownEnd: string | undefined;
  child.once('exit', (code, signal) => {
    if (!isAsked) ownEnd = `The hub ended with code ${code}, signal ${signal}: ${said}`;
  });
  const [url] = await until(child, /http:\/\/[\d.]+:\d+/u).catch((cause: unknown) => {
    throw new Error(`The hub did not start. ${said}`, { cause });
  });
  rememberKey(url, await ownerKey(home));
  const end = (signal: NodeJS.Signals) => async (): Promise<void> => {
    isAsked = true;
    child.kill(signal);
    await ended(child);
  };
  return { url, pid: child.pid ?? 0, endedBySelf: () => ownEnd, kill: end('SIGKILL'), stop: end('SIGTERM') };
};

/** The same address again, for those who know it. */
export const portOf = (url: string): string => new URL(url).port;
