import type { ServerResponse } from 'node:http';
import { constants, Http2ServerResponse } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply, StreamReply } from './reply.js';
import type { StreamPiece } from './stream-piece.js';

export type AnyResponse = ServerResponse | Http2ServerResponse;

const cut = (response: AnyResponse): void => {
  if (response instanceof Http2ServerResponse) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else response.socket?.resetAndDestroy();
};

const put = (response: AnyResponse, bytes: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    response.once('close', resolve);
    const done = (): void => {
      response.off('close', resolve);
      resolve();
    };
    // The two kinds declare `write` differently, and agree on this.
    if (response instanceof Http2ServerResponse) response.write(bytes, done);
    else response.write(bytes, done);
  });

/** Writes one piece; gives false when nothing may follow it. */
const putPiece = async (
  response: AnyResponse,
  piece: StreamPiece,
  encode: StreamReply['encode'],
  gone: AbortSignal,
): Promise<boolean> => {
  if (piece === 'cut') cut(response);
  if (piece === 'cut' || piece === 'hang') return false;
  if ('waitMs' in piece) await sleep(piece.waitMs, undefined, { signal: gone }).catch(() => undefined);
  else await put(response, 'raw' in piece ? piece.raw : encode(piece));
  return !gone.aborted;
};

const writeStream = async (response: AnyResponse, { headers, pieces, encode }: StreamReply): Promise<void> => {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.writeHead(200, { ...headers });
  for (const piece of pieces) if (!(await putPiece(response, piece, encode, gone.signal))) return;
  response.end();
};

export const writeReply = async (response: AnyResponse, reply: Reply): Promise<void> => {
  if (reply === 'hang') return;
  if (reply === 'cut') return cut(response);
  if ('pieces' in reply) return writeStream(response, reply);
  response.writeHead(reply.status, { ...reply.headers });
  response.end(reply.body);
};
