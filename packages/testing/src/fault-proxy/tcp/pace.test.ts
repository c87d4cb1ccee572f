import { describe, expect, test } from 'vitest';
import { handOn, pace, slices } from './pace.js';

const bytes = Buffer.from('0123456789');
const half = (): number => 0.5;

describe('the pace of bytes', () => {
  test('is unchanged without a fault', () => {
    expect(pace(bytes, [], half)).toEqual([{ bytes, waitMs: 0 }]);
  });

  test('waits for latency and jitter, before the first piece only', () => {
    const faults = [
      { kind: 'slicer', bytes: 4, everyMs: 2 },
      { kind: 'latency', ms: 100, jitterMs: 50 },
    ] as const;
    expect(pace(bytes, faults, () => 1).map(({ waitMs }) => waitMs)).toEqual([150, 2, 2]);
    expect(pace(bytes, faults, () => 0).map(({ waitMs }) => waitMs)).toEqual([50, 2, 2]);
  });

  test('is what the bandwidth allows', () => {
    expect(pace(bytes, [{ kind: 'bandwidth', bytesPerSecond: 100 }], half)).toEqual([{ bytes, waitMs: 100 }]);
  });

  test('loses no byte in slices', () => {
    expect(Buffer.concat(slices(bytes, 3))).toEqual(bytes);
    expect(slices(bytes, 0)).toHaveLength(10);
  });

  test('stops when nobody takes the pieces', async () => {
    const written: string[] = [];
    const pieces = slices(bytes, 4).map((piece) => ({ bytes: piece, waitMs: 0 }));
    await handOn(pieces, (piece) => written.push(piece.toString()) < 2, new AbortController().signal);
    expect(written).toEqual(['0123', '4567']);
    await handOn(pieces, () => written.push('late') > 0, AbortSignal.abort());
    expect(written).toHaveLength(2);
  });
});
