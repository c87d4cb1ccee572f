import type { Agent, AgentCreate, AgentUpdate, ToolView } from '@plugboard/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useChange } from './change.js';
import { useHttp } from './hub.js';

const LIST = '/v1/agents';
const one = (id: string): string => `${LIST}/${encodeURIComponent(id)}`;

export const useAgents = () => {
  const http = useHttp();
  return useQuery({
    queryKey: ['agents', 'list'],
    queryFn: ({ signal }) => http.json<readonly Agent[]>(LIST, { signal }),
  });
};

export const useAgent = (id: string) => {
  const http = useHttp();
  return useQuery({
    queryKey: ['agents', 'one', id],
    queryFn: ({ signal }) => http.json<Agent>(one(id), { signal }),
  });
};

/** What the agent may call, from all that it was given. */
export const useAgentTools = (id: string) => {
  const http = useHttp();
  return useQuery({
    queryKey: ['agents', 'tools', id],
    queryFn: ({ signal }) => http.json<readonly ToolView[]>(`${one(id)}/tools`, { signal }),
  });
};

export const useCreateAgent = () =>
  useChange(['agents'], (http, body: AgentCreate) => http.json<Agent>(LIST, { method: 'POST', body }));

/**
 * Changes an agent. The page shows grants as changed at once, so that the next change is made to them and not to what the
 * hub answered last. Changes are sent one after the other. Variables are shown as the hub masks them.
 */
export const useUpdateAgent = (id: string) => {
  const http = useHttp();
  const queries = useQueryClient();
  const queryKey = ['agents', 'one', id];
  return useMutation({
    scope: { id: `agent ${id}` },
    mutationFn: (body: AgentUpdate) => http.json<Agent>(one(id), { method: 'PATCH', body }),
    onMutate: async ({ variables: _secret, ...grants }) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData<Agent>(queryKey, (before) =>
        before === undefined ? before : ({ ...before, ...grants } as Agent),
      );
    },
    onSettled: () => {
      // The answer to an earlier change must not undo a later one in the page.
      if (queries.isMutating() <= 1) void queries.invalidateQueries({ queryKey: ['agents'] });
    },
  });
};

export const useDeleteAgent = (id: string) =>
  useChange(['agents', 'keys'], (http) => http.json(one(id), { method: 'DELETE' }));
