import { McpProtocolError } from '@plugboard/client';
import type { KeptFailure, KeyedRequest, KeyedRequests, KeyedWork } from '@plugboard/contract';
import type { JsonObject } from '@plugboard/wire';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Caller, LOCAL_CALLER } from '../../call/caller.js';
import type { McpCall } from '../../call/mcp-call.js';
import { RawJson } from '../../rpc/raw-json.js';
import { sampleCall } from '../../test-support/mcp-call.js';
import { carryOutOnce } from './carry-out-once.js';

/** Performs everything once; what is kept went through text. */
class MemoryRequests implements KeyedRequests {
  readonly asked: KeyedRequest[] = [];
  readonly notKept: string[] = [];
  readonly #kept = new Map<string, string>();
  readonly #failed = new Map<string, KeptFailure>();

  async run<Value>(request: KeyedRequest, work: KeyedWork<Value>) {
    this.asked.push(request);
    const kept = this.#kept.get(request.key);
    const failed = this.#failed.get(request.key);
    if (failed !== undefined) throw work.readFailure?.(JSON.parse(JSON.stringify(failed)) as KeptFailure);
    if (kept !== undefined) return { value: work.read(kept), isRepeated: true };
    try {
      const value = await work.perform();
      const text = await work.write(value);
      if (text === undefined) this.notKept.push(request.key);
      else this.#kept.set(request.key, text);
      return { value, isRepeated: false };
    } catch (thrown) {
      const failure = work.writeFailure?.(thrown);
      if (failure !== undefined) this.#failed.set(request.key, failure);
      throw thrown;
    }
  }
}

const setUp = (answer: () => Promise<unknown>) => {
  const requests = new MemoryRequests();
  const performed: McpCall[] = [];
  const step = carryOutOnce(requests);
  const call = (
    params: JsonObject,
    headers: McpCall['headers'] = { 'idempotency-key': 'k' },
    method = 'tools/call',
    caller: Caller = LOCAL_CALLER,
  ) => {
    const sample = sampleCall(method, params, { headers });
    return step({ ...sample, client: { ...sample.client, caller } }, (each) => {
      performed.push(each);
      return answer();
    });
  };
  return { requests, performed, call };
};

const note = { name: 'note', arguments: { text: 'x' } };
const content = [{ type: 'text', text: 'noted' }];

describe('calls of tools with an idempotency key', () => {
  it('are carried out once, and what is repeated says so', async () => {
    const { requests, performed, call } = setUp(async () => ({ content: new RawJson(JSON.stringify(content)) }));
    await call(note);
    expect(await call({ ...note, _meta: { progressToken: 2 } })).toEqual({
      content,
      _meta: { 'dev.plugboard/repeated': true },
    });
    expect(performed).toHaveLength(1);
    expect(new Set(requests.asked.map((asked) => asked.content)).size).toBe(1);
    await call({ ...note, arguments: { text: 'y' } });
    expect(new Set(requests.asked.map((asked) => asked.content)).size).toBe(2);
    // A weaker token of the same person.
    await call(note, undefined, undefined, { ...LOCAL_CALLER, binding: 'weaker' });
    expect(new Set(requests.asked.map((asked) => asked.content)).size).toBe(3);
    expect(new Set(requests.asked.map((asked) => asked.caller)).size).toBe(1);
  });

  it('read no result that is too large to be kept', async () => {
    const read = vi.spyOn(RawJson.prototype, 'toJSON');
    onTestFinished(() => read.mockRestore());
    const large = new RawJson(Buffer.from(JSON.stringify([{ type: 'text', text: 'x'.repeat(1024 * 1024) }])));
    const { requests, call } = setUp(async () => ({ content: large, isError: false }));
    expect(await call(note)).toEqual({ content: large, isError: false });
    expect(requests.notKept).toEqual(['k']);
    expect(read).not.toHaveBeenCalled();
  });

  it('fail with what the server answered', async () => {
    const rpc = { code: -32_099, message: 'no such note', data: { id: 7 } };
    const { performed, call } = setUp(() =>
      Promise.reject(new McpProtocolError('UPSTREAM_PROTOCOL', 'The server says no.', { rpc, delivery: 'answered' })),
    );
    await expect(call(note)).rejects.toMatchObject({ code: 'UPSTREAM_PROTOCOL' });
    await expect(call(note)).rejects.toMatchObject({ code: 'UPSTREAM_PROTOCOL', rpc });
    expect(performed).toHaveLength(1);
  });

  it('refuse a key that is none', async () => {
    const { performed, call } = setUp(async () => ({ content }));
    for (const key of ['', 'two words', 'ä', 'x'.repeat(256)]) {
      await expect(call(note, { 'idempotency-key': key })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
    expect(performed).toEqual([]);
  });

  it('leave everything else alone', async () => {
    const { requests, performed, call } = setUp(async () => ({ content }));
    await call(note, {});
    await call({}, { 'idempotency-key': 'k' }, 'tools/list');
    expect(performed).toHaveLength(2);
    expect(requests.asked).toEqual([]);
  });

  it('are carried out once in each round in which their client answers what it was asked', async () => {
    const question = { resultType: 'input_required', inputRequests: { size: { method: 'elicitation/create' } } };
    const { performed, call } = setUp(async () => (performed.length === 1 ? question : { content }));
    const answering = (size: string, requestState?: string): JsonObject => ({
      ...note,
      inputResponses: { size: { action: 'accept', content: { size } } },
      ...(requestState === undefined ? {} : { requestState }),
    });
    const repeated = { content, _meta: { 'dev.plugboard/repeated': true } };
    expect(await call(note)).toEqual(question);
    const rounds = [
      answering('large'),
      answering('small'),
      answering('large', 'a'),
      answering('large', 'b'),
      { ...note, requestState: 'a' },
    ];
    for (const round of rounds) {
      expect(await call(round)).toEqual({ content });
      expect(await call(round)).toEqual(repeated);
    }
    expect(performed).toHaveLength(1 + rounds.length);
    // The first round still has its own answer.
    expect(await call(note)).toMatchObject(question);
    expect(performed).toHaveLength(1 + rounds.length);
  });

  it('are refused with the key of another call in a later round too', async () => {
    const { requests, call } = setUp(async () => ({ content }));
    const inputResponses = { size: { action: 'accept' } };
    await call({ ...note, inputResponses });
    await call({ ...note, arguments: { text: 'y' }, inputResponses });
    const [first, second] = requests.asked;
    expect(second?.key).toBe(first?.key);
    expect(second?.content).not.toBe(first?.content);
  });
});
