import { fakeServer } from '@plugboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { checkTarget } from '../target/target.js';
import { startHttpTap } from './http-tap.js';
import { Recorder } from './recorder.js';
import { parseRecording } from './recording.js';
import { replayAgainst } from './replay-against.js';
import { serveReplayHttp } from './replay-http.js';
import { Replayer } from './replayer.js';
import { runWorkflow } from '../workflow/run-workflow.js';
import { defineWorkflow } from '../workflow/workflow.js';

const say = (url: string, text: string) =>
  runWorkflow(
    defineWorkflow({
      name: 'say',
      servers: { server: { url, transport: 'sse' } },
      steps: [
        {
          name: 'say',
          server: 'server',
          tool: 'echo',
          arguments: { text },
          expect: [{ path: 'content[0].text', contains: text }],
        },
      ],
    }),
    { version: '1.0.0' },
  );

test('traffic over HTTP+SSE is recorded, replayed, and compared with a server', async () => {
  const server = fakeServer({ tools: ['echo'] });
  onTestFinished(() => server.close());
  const { url } = await server.listenSse();
  let text = '';
  const tap = await startHttpTap(url, new Recorder({ label: 'fake', write: (piece) => void (text += piece) }));
  onTestFinished(() => tap.close());
  expect((await say(tap.url, 'hello')).outcome).toBe('passed');

  const recording = parseRecording(text, 'x');
  const said = recording.messages.map(
    ({ from, message }) => `${from} ${'method' in message ? JSON.stringify(message['method']) : 'answer'}`,
  );
  expect(said).toContain('client "tools/call"');
  expect(said.filter((line) => line === 'server answer').length).toBeGreaterThan(1);

  const replay = await serveReplayHttp(new Replayer(recording));
  onTestFinished(() => replay.close());
  const replayed = await say(replay.sseUrl, 'hello');
  expect(replayed.results.map(({ verdict, detail }) => [verdict, detail])).toEqual([['pass', undefined]]);
  expect((await say(replay.sseUrl, 'something else')).outcome).toBe('failed');

  const target = checkTarget.parse({ url, transport: 'sse' });
  const compared = await replayAgainst(recording, target, { version: '1.0.0' });
  expect([compared.outcome, compared.target.transport]).toEqual(['passed', 'sse']);
});
