import type { ToolUpdate, ToolView } from '@plugboard/contract';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
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

export const useTool = (address: ToolAddress) => {
  const http = useHttp();
  return useQuery({
    queryKey: ['tools', 'one', address],
    queryFn: ({ signal }) => http.json<ToolView>(one(address), { signal }),
  });
};

const useToolChange = <Input>(act: (http: ReturnType<typeof useHttp>, input: Input) => Promise<ToolView>) => {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => act(http, input),
    onSettled: () => {
      for (const subject of ['tools', 'servers', 'toolsets']) void queries.invalidateQueries({ queryKey: [subject] });
    },
  });
};

export const useUpdateTool = (address: ToolAddress) =>
  useToolChange((http, body: ToolUpdate) => http.json(one(address), { method: 'PATCH', body }));

/** Approves the definition with this hash, and no later one. */
export const useApproveTool = (address: ToolAddress) =>
  useToolChange((http, contractHash: string) =>
    http.json(`${one(address)}/approve`, { method: 'POST', body: { contract_hash: contractHash } }),
  );
