import type { LargeAnswer } from '@plugboard/client';
import { afterEach, expect, it, vi } from 'vitest';
import { partlyWrittenResult } from '../rpc/raw-json.js';
import { LargeAnswers } from './large-answers.js';

const onFailure = vi.fn();
let large: LargeAnswers | undefined;
afterEach(() => {
  large?.close();
  large = undefined;
});

const open = (server = 's', id = 1): LargeAnswer => {
  large ??= new LargeAnswers({ maxResultBytes: 16 * 1024 * 1024, onFailure });
  const opened = large.open(server, { id, era: 'legacy' });
  if (opened === undefined) throw new Error('there is no thread');
  return opened;
};

const result = { content: [{ type: 'text', text: 'é'.repeat(1_000_000) }], isError: false };

const push = (answer: LargeAnswer, id = 1): void => {
  const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }));
  for (let at = 0; at < bytes.length; at += 65_536) answer.push(bytes.subarray(at, at + 65_536));
};

const textOf = async (answer: LargeAnswer, id: number): Promise<unknown> => {
  const [message] = await answer.finish();
  const pieces = message?.kind === 'result' ? partlyWrittenResult(id, message.message.result) : [];
  return JSON.parse(Buffer.concat(pieces ?? []).toString()) as unknown;
};

it('reads an answer in another thread, and gives back bytes', async () => {
  using answer = open();
  push(answer);
  expect(await textOf(answer, 5)).toEqual({ jsonrpc: '2.0', id: 5, result });
});

it('takes turns between servers, and forgets what nobody wants', async () => {
  const done: string[] = [];
  const begin = (name: string, id: number): { answer: LargeAnswer; read: Promise<void> } => {
    const answer = open(name, id);
    push(answer, id);
    return { answer, read: textOf(answer, id).then(() => void done.push(`${name}${id}`)) };
  };
  const [first, second, other] = [begin('a', 1), begin('a', 2), begin('b', 3)];
  const dropped = begin('a', 4);
  dropped.answer[Symbol.dispose]();
  await Promise.all([first.read, second.read, other.read]);
  expect(done).toEqual(['a1', 'b3', 'a2']);
});

it('tells those who wait that it ends', async () => {
  const answer = open();
  push(answer);
  const read = answer.finish();
  large?.close();
  await expect(read).rejects.toMatchObject({ code: 'OVERLOADED', delivery: 'answered' });
  expect(large?.open('s', { id: 1, era: 'legacy' })).toBeUndefined();
});
