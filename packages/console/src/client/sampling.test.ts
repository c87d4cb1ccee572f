import { expect, it } from 'vitest';
import { sampledMessages } from './sampling.js';

it('takes messages apart, whatever the server sends', () => {
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
  expect(
    sampledMessages([
      { role: 'user', content: { type: 'text', text: 'Hello' } },
      { role: 'assistant', content: [{ type: 'text', text: 'Hi' }, image] },
      'rubbish',
    ]),
  ).toEqual([
    { role: 'user', text: 'Hello', other: { type: 'text', text: 'Hello' } },
    { role: 'assistant', text: 'Hi', other: { type: 'text', text: 'Hi' } },
    { role: 'assistant', text: undefined, other: image },
    { role: 'unknown', text: undefined, other: 'rubbish' },
  ]);
  expect(sampledMessages(undefined)).toEqual([]);
});
