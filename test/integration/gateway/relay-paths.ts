import type { RealHub } from '../../support/real-hub.js';
import { askAllWorkers } from '../../support/workers-hub.js';
import { needsOwnProcess, workersOfTests } from '../../support/workers-of-tests.js';

/** What a client got. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly type: string | null;
}

/** Posts a body to an MCP endpoint. */
export const post = async (
  url: URL,
  body: string,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Answer & { session: string | null }> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body,
    ...(signal === undefined ? {} : { signal }),
  });
  return {
    status: response.status,
    text: await response.text(),
    type: response.headers.get('content-type'),
    session: response.headers.get('mcp-session-id'),
  };
};

const startOf = (text: string): string => /^process_start_time_seconds (\S+)/mu.exec(text)?.[1] ?? '';

/** How many calls took each path so far: `fast`, or why not. */
export const pathsOf = async (hub: RealHub): Promise<Record<string, number>> => {
  const url = new URL('/metrics', hub.url);
  const texts = workersOfTests() === undefined ? [await (await fetch(url)).text()] : await askAllWorkers(url, startOf);
  const paths: Record<string, number> = {};
  for (const text of texts) {
    const found = text.matchAll(/^plugboard_relay_path_total\{path="(\w+)",reason="([\w-]*)"\} (\d+)/gmu);
    for (const [, path = '', reason = '', count] of found) {
      paths[reason || path] = (paths[reason || path] ?? 0) + Number(count);
    }
  }
  return paths;
};

/** Which paths calls took while something was done. */
export const waysOf = async (hub: RealHub, work: () => Promise<unknown>): Promise<Record<string, number>> => {
  const before = await pathsOf(hub);
  await work();
  const after = await pathsOf(hub);
  const ways = Object.fromEntries(
    Object.entries(after)
      .map(([way, count]) => [way, count - (before[way] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
  // The first call of each worker opens its connection.
  if ('connection' in ways && workersOfTests() !== undefined) needsOwnProcess('connection that all of them use');
  return ways;
};
