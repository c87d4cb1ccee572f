import { anySignal } from '@plugboard/base';
import { readHubFile } from './hub-file.js';

const HEALTH_DEADLINE_MS = 1000;

export type RunningHub =
  | { readonly state: 'none' }
  | { readonly state: 'answers'; readonly url: string; readonly pid: number; readonly key: string | undefined }
  /** The process exists, but nothing answers where it said it would. */
  | { readonly state: 'silent'; readonly url: string; readonly pid: number };

export interface RunningHubPorts {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly isAlive: (pid: number) => boolean;
  readonly signal: AbortSignal;
}

const answersHealth = async (url: string, { fetch, signal }: RunningHubPorts): Promise<boolean> => {
  const deadline = AbortSignal.timeout(HEALTH_DEADLINE_MS);
  try {
    const response = await fetch(new Request(new URL('/health', url), { signal: anySignal(signal, deadline) }));
    await response.arrayBuffer();
    return response.ok;
  } catch {
    signal.throwIfAborted();
    return false;
  }
};

/** Finds the hub of this home, if it runs: by the note that it left, its process and its answer. */
export const findRunningHub = async (home: string, ports: RunningHubPorts): Promise<RunningHub> => {
  const note = await readHubFile(home);
  if (note === undefined || !ports.isAlive(note.pid)) return { state: 'none' };
  const { url, pid, key } = note;
  return (await answersHealth(url, ports)) ? { state: 'answers', url, pid, key } : { state: 'silent', url, pid };
};
