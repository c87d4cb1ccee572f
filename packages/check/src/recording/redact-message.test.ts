import { expect, test } from 'vitest';
import { redactMessage } from './redact-message.js';

const redact = (text: string): unknown => redactMessage({ text }, (same) => same)['text'];

test('JSON that is sent as text stays JSON', () => {
  const text = JSON.stringify({ password: 'hunter2-canary', access_token: 'long-canary-value', note: 'stays' });
  expect(JSON.parse(String(redact(text)))).toEqual({
    password: '[redacted]',
    access_token: '[redacted]',
    note: 'stays',
  });
});

test('parameters of URLs with telling names are hidden', () => {
  expect(redact('see https://x.example/a?token=canary88&page=2&api_key=canary99#b')).toBe(
    'see https://x.example/a?token=[redacted]&page=2&api_key=[redacted]#b',
  );
  expect(redact('{"url":"https://x.example/?sig=canary88"}')).toBe('{"url":"https://x.example/?sig=[redacted]"}');
  expect(redact('https://x.example/?page_token=2&q=token')).toBe('https://x.example/?page_token=2&q=token');
});
