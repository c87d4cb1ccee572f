import { McpClient } from '@plugboard/client';

/** Sends a token that can expire; after a 401 it is renewed once and the request is sent again. */
export const clientWithToken = (url: string, renew: () => Promise<string>): McpClient => {
  let token: string | undefined;
  return new McpClient({
    config: { mcp_server_type: 'streamable_http', server_url: url },
    credentials: {
      headers: async () => {
        token ??= await renew();
        return { authorization: `Bearer ${token}` };
      },
      refresh: async () => {
        token = await renew();
        return true;
      },
    },
  });
};
