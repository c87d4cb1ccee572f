import { WebStandardStreamableHTTPServerTransport, type McpServer } from '@modelcontextprotocol/server';
import { readable } from './legacy-sessions.js';

/** A legacy message outside of any session: served by an instance of its own and answered as one JSON body. */
export const answerStateless = async (
  request: Request,
  server: McpServer,
  maxMessageBytes: number,
): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: maxMessageBytes,
  });
  const abandon = (): void => void server.close();
  await server.connect(transport);
  request.signal.addEventListener('abort', abandon, { once: true });
  try {
    return await transport.handleRequest(readable(request));
  } finally {
    request.signal.removeEventListener('abort', abandon);
    await server.close();
  }
};
