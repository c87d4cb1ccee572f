import type { PieceEncoder, StreamPiece } from './stream-piece.js';

export interface WholeReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface StreamReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: readonly StreamPiece[];
  readonly encode: PieceEncoder;
}

/** What a request gets; `cut` breaks the connection, `hang` never answers. */
export type Reply = WholeReply | StreamReply | 'cut' | 'hang';

export const jsonReply = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): WholeReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
