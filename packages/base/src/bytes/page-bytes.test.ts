import { expect, it } from 'vitest';
import { pageBytes, releasePageBytes } from './page-bytes.js';

it('gives memory of its own that keeps its length', () => {
  const bytes = pageBytes(300_000);
  bytes[299_999] = 7;
  expect([bytes.length, bytes.byteOffset, bytes.buffer.byteLength, bytes[0], bytes[299_999]]).toEqual([
    300_000, 0, 300_000, 0, 7,
  ]);
  expect((bytes.buffer as ArrayBuffer & { readonly resizable?: boolean }).resizable).toBe(true);
});

it('can be moved to another thread', () => {
  const bytes = pageBytes(5000);
  bytes.fill(1);
  const moved = structuredClone(bytes, { transfer: [bytes.buffer] });
  expect([bytes.length, moved.length, moved[4999]]).toEqual([0, 5000, 1]);
});

it('gives memory back at once, and leaves other memory alone', () => {
  const [ours, others] = [pageBytes(5000), new Uint8Array(5000)];
  releasePageBytes(ours);
  releasePageBytes(others);
  const gone = pageBytes(5000);
  structuredClone(gone, { transfer: [gone.buffer] });
  releasePageBytes(gone);
  expect([ours.buffer.byteLength, others.buffer.byteLength]).toEqual([0, 5000]);
});
