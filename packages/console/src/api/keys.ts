import type { ApiKey, ApiKeyCreate, ApiKeyCreated } from '@plugboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useChange } from './change.js';
import { useHttp } from './hub.js';

export const useKeys = () => {
  const http = useHttp();
  return useQuery({
    queryKey: ['keys'],
    queryFn: ({ signal }) => http.json<readonly ApiKey[]>('/v1/keys', { signal }),
  });
};

export const useCreateKey = () =>
  useChange(['keys'], (http, body: ApiKeyCreate) => http.json<ApiKeyCreated>('/v1/keys', { method: 'POST', body }));

const LIST = '/v1/keys';

export const useRevokeKey = () =>
  useChange(['keys'], (http, id: string) => {
    const path = `${LIST}/${encodeURIComponent(id)}`;
    return http.json(path, { method: 'DELETE' });
  });
