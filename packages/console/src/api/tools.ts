import type { ToolAdaptation, ToolState, ToolUpdate, ToolView } from '@plugboard/contract';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useChange } from './change.js';
import { useHttp } from './hub.js';

const PAGE = 100;

const one = ({ serverId, toolId }: ToolAddress): string =>
  `/v1/mcp-servers/${encodeURIComponent(serverId)}/tools/${encodeURIComponent(toolId)}`;

export interface ToolAddress {
  readonly serverId: string;
  readonly toolId: string;
}

export interface ToolFilter {
  readonly search?: string | undefined;
  readonly server_id?: string | undefined;
  readonly state?: ToolState | undefined;
}

/** Tools of all servers, page after page. */
export const useTools = (filter: ToolFilter) => {
  const http = useHttp();
  return useInfiniteQuery({
    queryKey: ['tools', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      http.page<ToolView>('/v1/tools', { query: { ...filter, limit: PAGE, after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    // While somebody types, the last answer stays until the next is there.
    placeholderData: keepPreviousData,
  });
};

/** Every tool of one server. */
export const useServerTools = (serverId: string | undefined) => {
  const http = useHttp();
  return useQuery({
    queryKey: ['tools', 'server', serverId],
    queryFn: async ({ signal }): Promise<readonly ToolView[]> =>
      serverId === undefined ? [] : http.json(`/v1/mcp-servers/${encodeURIComponent(serverId)}/tools`, { signal }),
  });
};

/** The first tools that fit a text. */
export const useFirstTools = (search: string, limit: number) => {
  const http = useHttp();
  return useQuery({
    queryKey: ['tools', 'first', search, limit],
    queryFn: async ({ signal }): Promise<readonly ToolView[]> =>
      search === '' ? [] : (await http.page<ToolView>('/v1/tools', { query: { search, limit }, signal })).entries,
  });
};

export const useTool = (address: ToolAddress) => {
  const http = useHttp();
  return useQuery({
    queryKey: ['tools', 'one', address],
    queryFn: ({ signal }) => http.json<ToolView>(one(address), { signal }),
  });
};

/** The tool after the rewrites for a provider. */
export const useToolAdaptation = (address: ToolAddress, provider: string) => {
  const http = useHttp();
  return useQuery({
    queryKey: ['tools', 'adaptation', address, provider],
    queryFn: ({ signal }) => http.json<ToolAdaptation>(`${one(address)}/adaptation`, { query: { provider }, signal }),
  });
};

/** The tool that the server itself calls by this name; null when there is none. */
export const useUpstreamTool = (serverId: string | undefined, name: string) => {
  const http = useHttp();
  return useQuery({
    queryKey: ['tools', 'upstream', serverId, name],
    queryFn: async ({ signal }) => {
      if (serverId === undefined) return null;
      const { entries } = await http.page<ToolView>('/v1/tools', { query: { server_id: serverId, name }, signal });
      return entries.find(({ upstream_name }) => upstream_name === name) ?? null;
    },
  });
};

const STALE = ['tools', 'servers', 'toolsets'] as const;

export const useUpdateTool = (address: ToolAddress) =>
  useChange(STALE, (http, body: ToolUpdate) => http.json<ToolView>(one(address), { method: 'PATCH', body }));

/** Approves or rejects the definition with this hash, and no later one. */
export const useDecideTool = (address: ToolAddress, decision: 'approve' | 'reject') =>
  useChange(STALE, (http, contractHash: string) =>
    http.json<ToolView>(`${one(address)}/${decision}`, { method: 'POST', body: { contract_hash: contractHash } }),
  );
