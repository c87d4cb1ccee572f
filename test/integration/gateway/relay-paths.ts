import type { RealHub } from '../../support/real-hub.js';

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

/** How many calls took each path so far: `fast`, or why not. */
export const pathsOf = async (hub: RealHub): Promise<Record<string, number>> => {
  const text = await (await fetch(new URL('/metrics', hub.url))).text();
  const found = text.matchAll(/^plugboard_relay_path_total\{path="(\w+)",reason="([\w-]*)"\} (\d+)/gmu);
  return Object.fromEntries([...found].map(([, path, reason, count]) => [reason || (path ?? ''), Number(count)]));
};

/** Which paths calls took while something was done. */
export const waysOf = async (hub: RealHub, work: () => Promise<unknown>): Promise<Record<string, number>> => {
  const before = await pathsOf(hub);
  await work();
  const after = await pathsOf(hub);
  return Object.fromEntries(
    Object.entries(after)
      .map(([way, count]) => [way, count - (before[way] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
};
