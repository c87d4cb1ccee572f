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
  await server.connect(transport);
  let leave = (): void => undefined;
  // A caller who left waits for nothing: closing the server tells its tools.
  const left = new Promise<Response>((resolve) => {
    leave = () => resolve(new Response(null, { status: 499 }));
    request.signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([transport.handleRequest(readable(request), parsed(body)), left]);
  } finally {
    request.signal.removeEventListener('abort', leave);
    await server.close();
  }
};
