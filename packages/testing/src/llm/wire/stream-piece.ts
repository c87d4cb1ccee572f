/** An event of a stream, before it becomes bytes; or something else. `data` that is a string is sent as it is. */
export type StreamPiece =
  | { readonly event?: string; readonly data: unknown }
  | { readonly raw: string }
  | { readonly waitMs: number }
  | 'cut'
  | 'hang';

/** Turns an event into the bytes of one framing. */
export type PieceEncoder = (piece: { readonly event?: string; readonly data: unknown }) => string | Uint8Array;
