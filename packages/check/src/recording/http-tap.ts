import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Conversations } from './conversations.js';
import { EndpointStream } from './endpoint-stream.js';
import type { Recorder } from './recorder.js';
import { refusedRequest } from './refused-request.js';

export interface HttpTap {
  /** Where clients connect. */
  readonly url: string;
  close(): Promise<void>;
}

const MAX_RECORDED = 16 * 1024 * 1024;

/** Collects a body for the recording, unless it is too long. */
const collect = (stream: IncomingMessage, use: (text: string) => void): void => {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_RECORDED) chunks.push(chunk);
  });
  stream.on('end', () => {
    if (size <= MAX_RECORDED) use(Buffer.concat(chunks).toString('utf8'));
  });
};

const recordAnswer = (answer: IncomingMessage, recorder: Recorder, conversation: number): void => {
  if (!(answer.headers['content-type'] ?? '').includes('text/event-stream')) {
    collect(answer, (text) => recorder.text('server', text, conversation));
    return;
  }
  answer.on('data', recorder.tapEvents(conversation));
};

interface Upstream {
  readonly url: URL;
  readonly conversations: Conversations;
}

const sessionOf = ({ headers }: IncomingMessage): string | undefined => {
  const session = headers['mcp-session-id'];
  return typeof session === 'string' ? session : undefined;
};

interface Passed {
  readonly request: IncomingMessage;
  readonly answer: IncomingMessage;
  readonly response: ServerResponse;
}

/** The stream of a GET may be one of HTTP+SSE. */
const passAnswer = (
  { url, conversations }: Upstream,
  conversation: number,
  { request, answer, response }: Passed,
): void => {
  if (request.method !== 'GET') {
    answer.pipe(response);
    return;
  }
  const onEndpoint = (path: string): void => conversations.noteEndpoint(path, conversation);
  answer.pipe(new EndpointStream(url, onEndpoint)).pipe(response);
};

/** Passes a request on as it is; both bodies are recorded on the way. Headers never are. */
const pass = (upstream: Upstream, recorder: Recorder, request: IncomingMessage, response: ServerResponse): void => {
  const refused = refusedRequest(request);
  if (refused !== undefined) {
    response.writeHead(refused).end();
    return;
  }
  const path = request.url ?? '';
  const { conversations } = upstream;
  const url = conversations.isEndpoint(path) ? new URL(path, upstream.url) : upstream.url;
  const conversation = conversations.of(sessionOf(request), path);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const onward = send(
    url,
    { method: request.method, headers: { ...request.headers, host: url.host, 'accept-encoding': 'identity' } },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      const session = sessionOf(answer);
      if (session !== undefined) conversations.noteSession(session, conversation);
      recordAnswer(answer, recorder, conversation);
      passAnswer(upstream, conversation, { request, answer, response });
      answer.on('error', () => response.destroy());
    },
  );
  onward.on('error', () => {
    if (!response.headersSent) response.writeHead(502);
    response.end();
  });
  response.on('close', () => onward.destroy());
  collect(request, (text) => recorder.text('client', text, conversation));
  request.pipe(onward);
};

/** A proxy in front of an endpoint of Streamable HTTP or HTTP+SSE that records what passes; it listens on this machine only. */
export const startHttpTap = async (upstream: string, recorder: Recorder, port = 0): Promise<HttpTap> => {
  const target = new URL(upstream);
  const known: Upstream = { url: target, conversations: new Conversations() };
  const server = createServer((request, response) => pass(known, recorder, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
