import type { ServerView } from '@plugboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useHttp } from './hub.js';

const LIST = '/v1/mcp-servers';

export const useServers = () => {
  const http = useHttp();
  return useQuery({
    queryKey: ['servers', 'list'],
    queryFn: ({ signal }) => http.json<readonly ServerView[]>(LIST, { signal }),
  });
};
