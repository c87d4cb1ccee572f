import type { ServerResponse } from 'node:http';
import type { NodeServerResponseLike } from '@modelcontextprotocol/node';

/** A response whose head leaves at once: a stream that has nothing to say yet is open all the same. */
export const promptResponse = (response: ServerResponse): NodeServerResponseLike => ({
  writeHead: (status, headers) => {
    response.writeHead(status, headers);
    if (headers?.['content-type'] === 'text/event-stream') response.flushHeaders();
  },
  write: (chunk) => response.write(chunk),
  end: (chunk) => response.end(chunk),
  on: (event, listener) => response.on(event, listener),
  get destroyed() {
    return response.destroyed;
  },
});
