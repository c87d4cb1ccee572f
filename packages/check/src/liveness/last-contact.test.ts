import { describe, expect, test } from 'vitest';
import { Transcript } from '../connection/transcript.js';
import { lastContact } from './last-contact.js';

const request = (method: string, session: string): string =>
  `${method} /mcp HTTP/1.1\naccept: */*\nmcp-session-id: ${session}\n\n`;

const post = (id: number, method: string): string =>
  `POST /mcp HTTP/1.1\naccept: */*\n\n${JSON.stringify({ jsonrpc: '2.0', id, method })}`;

const sentLast = (...open: readonly string[]): string | undefined => {
  const transcript = new Transcript();
  const answered = transcript.connect();
  transcript.record(answered, 'sent', post(1, 'ping'));
  transcript.record(answered, 'received', 'HTTP/1.1 200\n');
  for (const text of open) transcript.record(transcript.connect(), 'sent', text);
  return lastContact(transcript)?.sent;
};

describe('the last requests to a server that went away', () => {
  test('are those that were on their way', () => {
    expect(sentLast(post(2, 'tools/list'), post(3, 'prompts/list'))).toBe(
      `${post(2, 'tools/list')}\n\n${post(3, 'prompts/list')}`,
    );
  });

  test('are shown once each, whatever their sessions and ids; the end of a session comes last', () => {
    expect(sentLast(request('DELETE', 'a'), request('DELETE', 'b'), post(2, 'ping'), post(3, 'ping'))).toBe(
      `${post(3, 'ping')}\n\n${request('DELETE', 'b')}`,
    );
  });

  test('are the last one that was answered when none was open', () => {
    expect(sentLast()).toBe(post(1, 'ping'));
  });
});
