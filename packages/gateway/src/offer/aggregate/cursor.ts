import { invalidParams } from '../../rpc/rpc-refusal.js';
import type { ListKind } from './list-kind.js';

/** Where a merged list goes on: at a page of one server, then with the servers after it. */
export interface MergedCursor {
  readonly kind: ListKind;
  readonly serverId: string;
  readonly cursor: string;
}

export const encodeCursor = ({ kind, serverId, cursor }: MergedCursor): string =>
  Buffer.from(JSON.stringify([kind, serverId, cursor])).toString('base64url');

/** -32602 for what was not given out for this list. */
export const decodeCursor = (kind: ListKind, text: string): MergedCursor => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const [given, serverId, cursor] = Array.isArray(value) ? (value as unknown[]) : [];
    if (given === kind && typeof serverId === 'string' && typeof cursor === 'string') return { kind, serverId, cursor };
  } catch {
    // Not ours.
  }
  throw invalidParams('This cursor was not given out for this list.');
};
