import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.js';
import type { McpConnection } from '../api/mcp/mcp-connection.js';

/** A server that never stops sending pages must not keep the page busy. */
const MAX_PAGES = 50;
const METHOD_NOT_FOUND = '-32601';

/** Every page of a list; nothing when the server does not have such a list. */
const readAll = async <Entry>(
  mcp: McpConnection,
  { method, member, parse }: ListRequest<Entry>,
  signal: AbortSignal,
): Promise<readonly Entry[]> => {
  const entries: Entry[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = (await mcp.request(method, params, { signal })) as Readonly<Record<string, unknown>> | null;
    const found = answer?.[member];
    for (const value of Array.isArray(found) ? found : []) {
      const entry = parse(value);
      if (entry !== undefined) entries.push(entry);
    }
    cursor = answer?.['nextCursor'];
    if (typeof cursor !== 'string') break;
  }
  return entries;
};

export interface ListRequest<Entry> {
  readonly method: 'resources/list' | 'resources/templates/list' | 'prompts/list';
  readonly member: 'resources' | 'resourceTemplates' | 'prompts';
  readonly parse: (value: unknown) => Entry | undefined;
}

export const useOffer = <Entry>(server: string, mcp: McpConnection, list: ListRequest<Entry>) =>
  useQuery({
    queryKey: ['offer', server, list.method],
    queryFn: async ({ signal }) => {
      try {
        return await readAll(mcp, list, signal);
      } catch (thrown) {
        if (thrown instanceof ApiError && thrown.code === METHOD_NOT_FOUND) return [];
        throw thrown;
      }
    },
    retry: false,
  });
