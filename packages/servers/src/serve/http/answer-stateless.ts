import { WebStandardStreamableHTTPServerTransport, type McpServer } from '@modelcontextprotocol/server';
import { parsed, readable } from './readable-request.js';

export interface StatelessMessage {
  /** An instance for this message alone. */
  readonly server: McpServer;
  /** The body when it could be parsed. */
  readonly body: unknown;
}

/** A legacy message outside of any session: served by an instance of its own and answered as one JSON body. */
export const answerStateless = async (request: Request, { server, body }: StatelessMessage): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const abandon = (): void => void server.close();
  await server.connect(transport);
  request.signal.addEventListener('abort', abandon, { once: true });
  try {
    return await transport.handleRequest(readable(request), parsed(body));
  } finally {
    request.signal.removeEventListener('abort', abandon);
    await server.close();
  }
};
