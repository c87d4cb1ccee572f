import type { ToolsetCreate, ToolsetUpdate, ToolsetView } from '@plugboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useChange } from './change.js';
import { useHttp } from './hub.js';

const LIST = '/v1/toolsets';
const one = (id: string): string => `${LIST}/${encodeURIComponent(id)}`;

export const useToolsets = () => {
  const http = useHttp();
  return useQuery({
    queryKey: ['toolsets', 'list'],
    queryFn: ({ signal }) => http.json<readonly ToolsetView[]>(LIST, { signal }),
  });
};

export const useToolset = (id: string) => {
  const http = useHttp();
  return useQuery({
    queryKey: ['toolsets', 'one', id],
    queryFn: ({ signal }) => http.json<ToolsetView>(one(id), { signal }),
  });
};

export const useCreateToolset = () =>
  useChange(['toolsets'], (http, body: ToolsetCreate) => http.json<ToolsetView>(LIST, { method: 'POST', body }));

export const useUpdateToolset = (id: string) =>
  useChange(['toolsets'], (http, body: ToolsetUpdate) => http.json<ToolsetView>(one(id), { method: 'PATCH', body }));

export const useDeleteToolset = (id: string) =>
  useChange(['toolsets'], (http) => http.json(one(id), { method: 'DELETE' }));
