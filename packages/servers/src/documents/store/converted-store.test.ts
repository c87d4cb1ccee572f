import { describe, expect, it } from 'vitest';
import type { ConvertedDocument } from '../convert/convert.js';
import { ConvertedStore } from './converted-store.js';

const document = (text: string): ConvertedDocument => ({
  text,
  format: 'text',
  output: 'markdown',
  images: [],
  warnings: [],
});

describe('converted documents', () => {
  it('can be read again under an address of their own', () => {
    const store = new ConvertedStore();
    const stored = store.add(document('a'), 'a.txt');
    expect(stored).toMatchObject({ name: 'a.txt', mediaType: 'text/markdown', text: 'a' });
    expect(stored.uri).toMatch(/^documents:\/\/converted\/[0-9a-f-]{36}\.md$/u);
    expect(store.get(stored.uri)).toBe(stored);
    expect(store.add(document('b'), undefined).uri).not.toBe(stored.uri);
  });

  it('make room from the oldest on, by number and by size', () => {
    const few = new ConvertedStore({ maxDocuments: 2 });
    for (const text of ['a', 'b', 'c']) few.add(document(text), text);
    expect(few.list().map(({ name }) => name)).toEqual(['b', 'c']);
    const small = new ConvertedStore({ maxCharacters: 10 });
    for (const text of ['aaaa', 'bbbb', 'cccccccc']) small.add(document(text), text);
    expect(small.list().map(({ name }) => name)).toEqual(['cccccccc']);
    small.add(document('d'.repeat(50)), 'huge');
    expect(small.list().map(({ name }) => name)).toEqual(['huge']);
  });
});
