import type { HealthServiceCreate, HealthServiceView, KeyPurge, MasterKeyRotation } from '@plugboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useChange } from './change.js';
import { useHttp } from './hub.js';

const LIST = '/v1/services';
const POLL_MS = 10_000;

/** What the deployment depends on beside MCP servers. */
export const useHealthServices = () => {
  const http = useHttp();
  return useQuery({
    queryKey: ['hub', 'services'],
    queryFn: ({ signal }) => http.json<readonly HealthServiceView[]>(LIST, { signal }),
    refetchInterval: POLL_MS,
  });
};

export const useAddHealthService = () =>
  useChange(['hub'], (http, body: HealthServiceCreate) => http.json<HealthServiceView>(LIST, { method: 'POST', body }));

export const useDeleteHealthService = () =>
  useChange(['hub'], (http, name: string) => {
    const path = `${LIST}/${encodeURIComponent(name)}`;
    return http.json(path, { method: 'DELETE' });
  });

export const usePurgeKeys = () => useChange(['keys'], (http) => http.json<KeyPurge>('/v1/keys', { method: 'DELETE' }));

export const useRotateMasterKey = () =>
  useChange(['hub'], (http) => http.json<MasterKeyRotation>('/v1/keys/rotate-master', { method: 'POST' }));
