import { describe, expect, test } from 'vitest';
import { EndpointStream } from './endpoint-stream.js';

const through = async (upstream: string, ...chunks: readonly string[]) => {
  const paths: string[] = [];
  const stream = new EndpointStream(new URL(upstream), (path) => void paths.push(path));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  let text = '';
  for await (const piece of stream) text += String(piece);
  return { text, paths };
};

const MESSAGE = 'event: message\ndata: {"text":"ü"}\n\n';

describe('the endpoint event on its way through a proxy', () => {
  test.each([
    ['an absolute address', 'http://server.example/messages?s=1', '/messages?s=1'],
    ['a path', '/messages?s=1', '/messages?s=1'],
    ['a relative address', 'messages', '/deep/messages'],
  ])('%s becomes a path', async (_what, address, path) => {
    const { text, paths } = await through(
      'http://server.example/deep/sse',
      `event: endpoint\ndata: ${address}\n\n${MESSAGE}`,
    );
    expect(text).toBe(`event: endpoint\ndata: ${path}\n\n${MESSAGE}`);
    expect(paths).toEqual([path]);
  });

  test('may come byte by byte, and with carriage returns', async () => {
    const event = 'event: endpoint\r\ndata: http://server.example/m\r\n\r\n';
    const { text } = await through('http://server.example/sse', ...event.split(''), MESSAGE);
    expect(text).toBe(`event: endpoint\r\ndata: /m\r\n\r\n${MESSAGE}`);
  });

  test.each([
    ['the address of another server', 'event: endpoint\ndata: https://other.example/m\n\n'],
    ['another first event', MESSAGE],
    ['an event without an end', 'event: endpoint\ndata: /m'],
    ['a long first event', `data: ${'x'.repeat(20_000)}`],
    ['an address that is none', 'event: endpoint\ndata: http://[\n\n'],
  ])('%s passes as it is', async (_what, given) => {
    expect(await through('http://server.example/sse', given)).toEqual({ text: given, paths: [] });
  });
});
