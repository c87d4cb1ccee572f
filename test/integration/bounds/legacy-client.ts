export interface LegacyAnswer {
  readonly status: number;
  readonly session: string | undefined;
  readonly json: unknown;
}

export interface LegacyPost {
  readonly session?: string | undefined;
  readonly key?: string | undefined;
  readonly version?: string | undefined;
}

/** One POST to an MCP endpoint, as a client writes it that sends whatever it likes. */
export const postMcp = async (url: string | URL, body: unknown, post: LegacyPost = {}): Promise<LegacyAnswer> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(post.session === undefined ? {} : { 'mcp-session-id': post.session }),
      ...(post.key === undefined ? {} : { authorization: `Bearer ${post.key}` }),
      ...(post.version === undefined ? {} : { 'mcp-protocol-version': post.version }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    session: response.headers.get('mcp-session-id') ?? undefined,
    json: isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined,
  };
};

export const rpc = (id: number, method: string, params: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

export const initialize = (clientInfo: object = {}, protocolVersion = '2025-11-25'): object =>
  rpc(1, 'initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'test', version: '1', ...clientInfo },
  });
