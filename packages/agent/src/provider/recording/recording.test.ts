import { readModelRecording } from '@plugboard/contract';
import { recordedTurns } from '@plugboard/testing/llm';
import { describe, expect, test } from 'vitest';
import { userText } from '../../conversation/message.js';
import type { ModelRequest } from '../../conversation/model-request.js';
import { APIS, settingOf } from '../../test-support/memory-providers.js';
import { collectAnswer } from '../provider.js';
import { recordProvider, type RedactJson } from './record-provider.js';
import { replayProvider } from './replay-provider.js';

const redact: RedactJson = (value) =>
  JSON.parse(JSON.stringify(value).replaceAll('hunter2', '[redacted]')) as Record<string, unknown>;

const tools = [{ name: 'look', inputSchema: { type: 'object', properties: {} } }];
const requestOf = (model: string, text: string): ModelRequest => ({ model, messages: [userText(text)], tools });

/** Two questions, one of them asked twice, recorded from a double. */
const recordOf = async (api: (typeof APIS)[number]) => {
  const { provider, model, double } = settingOf(api);
  double.next(
    { thinking: 'Hm.', text: 'First.', toolCalls: [{ id: 'a', name: 'look', arguments: { at: 'it' } }] },
    { text: 'Second.' },
    { text: 'The word is hunter2.' },
  );
  let text = '';
  const recorded = recordProvider(provider, { redact, write: (line) => void (text += line) });
  const first = await recorded.complete(requestOf(model, 'Hi.'));
  await collectAnswer(recorded.stream(requestOf(model, 'Hi.')));
  await recorded.complete(requestOf(model, 'My word is hunter2.'));
  return { text, model, first, profile: provider.profile };
};

describe.each(APIS)('a recording of %s', (api) => {
  test('is replayed: the same requests, in their order, whole and streamed', async () => {
    const { text, model, first, profile } = await recordOf(api);
    expect(text).not.toMatch(/hunter2|sk-double|secret-of-the-double/u);
    const recording = readModelRecording(text);
    if (recording === undefined) throw new Error('It is not a recording.');
    const replayed = replayProvider(recording, { redact });
    expect(replayed.profile).toBe(profile);
    expect(await replayed.complete(requestOf(model, 'Hi.'))).toEqual(JSON.parse(JSON.stringify(first)));
    const streamed = await collectAnswer(replayed.stream(requestOf(model, 'Hi.')));
    expect(streamed.content).toMatchObject([{ type: 'text', text: 'Second.' }]);
    expect(await replayed.complete(requestOf(model, 'Hi.'))).toEqual(JSON.parse(JSON.stringify(first)));
    const redacted = await replayed.complete(requestOf(model, 'My word is hunter2.'));
    expect(redacted.content).toMatchObject([{ text: 'The word is [redacted].' }]);
    await expect(replayed.complete(requestOf(model, 'What else?'))).rejects.toMatchObject({ failure: 'not-found' });
  });

  test('is served by a double of every provider', async () => {
    const { text } = await recordOf(api);
    for (const served of APIS) {
      const { provider, model, double } = settingOf(served);
      double.next(...recordedTurns(text));
      const answer = await provider.complete(requestOf(model, 'Anything.'));
      expect(answer.content.filter(({ type }) => type !== 'thinking')).toMatchObject([
        { type: 'text', text: 'First.' },
        { type: 'tool-call', name: 'look', arguments: expect.stringContaining('"at"') as string },
      ]);
      expect(double.refusals).toEqual([]);
    }
  });
});

test('other texts are no recordings, and damaged ones are named', () => {
  expect(readModelRecording('{"format":"plugboard.recording/1"}\n')).toBeUndefined();
  expect(() => recordedTurns('hello')).toThrow('not a recording of a model');
  const head = { format: 'plugboard.model-recording/1', provider: 'x', profile: 'openai', recordedAt: '' };
  expect(() => readModelRecording(`${JSON.stringify(head)}\n{"request":1}\n`)).toThrow('Line 2');
});
