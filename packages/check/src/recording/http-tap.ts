import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
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

const recordAnswer = (answer: IncomingMessage, recorder: Recorder): void => {
  if (!(answer.headers['content-type'] ?? '').includes('text/event-stream')) {
    collect(answer, (text) => recorder.text('server', text));
    return;
  }
  answer.on('data', recorder.tapEvents());
};

interface Upstream {
  readonly url: URL;
  /** Addresses for requests that streams of HTTP+SSE have named. */
  readonly endpoints: Set<string>;
}

/** More addresses than this are forgotten, the oldest first. */
const MOST_ENDPOINTS = 1_000;

/** The stream of a GET may be one of HTTP+SSE. */
const passAnswer = (
  { url, endpoints }: Upstream,
  request: IncomingMessage,
  answer: IncomingMessage,
  response: ServerResponse,
): void => {
  if (request.method !== 'GET') {
    answer.pipe(response);
    return;
  }
  const onEndpoint = (path: string): void => {
    endpoints.add(path);
    for (const oldest of endpoints) if (endpoints.size > MOST_ENDPOINTS) endpoints.delete(oldest);
  };
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
  const url = upstream.endpoints.has(path) ? new URL(path, upstream.url) : upstream.url;
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const onward = send(
    url,
    { method: request.method, headers: { ...request.headers, host: url.host, 'accept-encoding': 'identity' } },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      recordAnswer(answer, recorder);
      passAnswer(upstream, request, answer, response);
      answer.on('error', () => response.destroy());
    },
  );
  onward.on('error', () => {
    if (!response.headersSent) response.writeHead(502);
    response.end();
  });
  response.on('close', () => onward.destroy());
  collect(request, (text) => recorder.text('client', text));
  request.pipe(onward);
};

/** A proxy in front of an endpoint of Streamable HTTP or HTTP+SSE that records what passes; it listens on this machine only. */
export const startHttpTap = async (upstream: string, recorder: Recorder, port = 0): Promise<HttpTap> => {
  const target = new URL(upstream);
  const known: Upstream = { url: target, endpoints: new Set() };
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
