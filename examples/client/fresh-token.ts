import { McpClient } from '@plugboard/client';

/** Sends a token that can expire. After a 401 the client renews it once and sends the request again. */
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
