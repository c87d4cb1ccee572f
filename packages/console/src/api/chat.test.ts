import { expect, it } from 'vitest';
import { askAgent, type ChatChunk, decideCall } from './chat.js';
import type { Ask, Http } from './http.js';

const question = { agent: 'helper', messages: [], toolset: 'daily', approvals: true };

const openRig = (...parts: readonly string[]) => {
  const asked: (readonly [string, Ask | undefined])[] = [];
  const http = {
    send: (path: string, ask?: Ask) => {
      asked.push([path, ask]);
      const encoder = new TextEncoder();
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (const part of parts) controller.enqueue(encoder.encode(part));
          controller.close();
        },
      });
      return Promise.resolve(new Response(body));
    },
    json: (path: string, ask?: Ask) => {
      asked.push([path, ask]);
      return Promise.resolve();
    },
  };
  return { http: http as unknown as Http, asked };
};

const read = async (http: Http): Promise<readonly ChatChunk[]> => {
  const chunks: ChatChunk[] = [];
  for await (const chunk of askAgent(http, question, new AbortController().signal)) chunks.push(chunk);
  return chunks;
};

it('reads chunks that come in pieces, until the end', async () => {
  const { http, asked } = openRig(
    'data: {"id":"c',
    'hat-1"}\n\n: keep-alive\n\ndata: {"id":"chat-1"}\n\n',
    'data: [DONE]\n\n',
  );
  expect(await read(http)).toEqual([{ id: 'chat-1' }, { id: 'chat-1' }]);
  expect(asked[0]?.[1]?.body).toEqual({
    model: 'helper',
    messages: [],
    stream: true,
    plugboard: { events: true, approvals: true, toolset: 'daily' },
  });
});

it('an error in the stream, and a stream without an end, are thrown', async () => {
  await expect(
    read(openRig('data: {"error":{"message":"No credits.","code":"MODEL_CREDITS"}}\n\n').http),
  ).rejects.toThrow('No credits.');
  await expect(read(openRig('data: {"id":"chat-1"}\n\n').http)).rejects.toThrow('was interrupted');
});

it('a decision goes to the answer that it belongs to', async () => {
  const { http, asked } = openRig();
  await decideCall(http, 'chatcmpl/1', { call_id: 'a', approve: false });
  const ask = { method: 'POST', body: { call_id: 'a', approve: false } };
  expect(asked).toEqual([['/v1/chat/completions/chatcmpl%2F1/decision', ask]]);
});
