import { expect, test } from 'vitest';
import { outcomeText } from './outcome-text.js';

const textOf = (texts: readonly string[], structuredContent: unknown): string =>
  outcomeText({
    kind: 'result',
    content: texts.map((text) => ({ type: 'text', text })),
    structuredContent,
    isError: false,
    truncated: false,
  });

test.each([
  ['the same JSON', ['{ "sky": "grey" }'], { sky: 'grey' }],
  ['the text in an envelope', ['It rains.'], { content: 'It rains.' }],
  ['a number in an envelope', ['5'], { result: 5 }],
  ['a list in an envelope, one text for each item', ['a', 'b'], { result: ['a', 'b'] }],
  ['JSON in an envelope', ['{"sky":"grey"}'], { result: { sky: 'grey' } }],
])('%s is told once', (_, texts, structured) => {
  expect(textOf(texts, structured)).toBe(texts.join('\n'));
});

test.each([
  ['something else', ['Done.'], { content: 'It rains.' }],
  ['more than the text', ['It rains.'], { content: 'It rains.', degrees: 4 }],
  ['no text', [], { content: 'It rains.' }],
])('structured content with %s is told', (_, texts, structured) => {
  expect(textOf(texts, structured)).toContain(JSON.stringify(structured));
});

test('halves of characters are left out: no provider accepts them', () => {
  expect(textOf(['Half a \uD83D face, and a whole one: 🙂'], undefined)).toBe('Half a  face, and a whole one: 🙂');
});
