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

/** Adds texts and says which of them are still there. */
const keptBy = (store: ConvertedStore, texts: readonly string[]): readonly string[] =>
  texts.map((text) => store.add(document(text), text).uri).flatMap((uri) => store.get(uri)?.text ?? []);

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
    expect(keptBy(few, ['a', 'b', 'c'])).toEqual(['b', 'c']);
    const small = new ConvertedStore({ maxCharacters: 10 });
    expect(keptBy(small, ['aaaa', 'bbbb', 'cccccccc'])).toEqual(['cccccccc']);
    expect(keptBy(small, ['d'.repeat(50)])).toEqual(['d'.repeat(50)]);
    expect(small.size).toBe(1);
  });
});
