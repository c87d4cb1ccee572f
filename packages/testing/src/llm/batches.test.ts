import { describe, expect, test } from 'vitest';
import { DOUBLE_KEY } from './scripted-llm.js';
import { MemoryLlm } from './memory-llm.js';

const headers = { authorization: `Bearer ${DOUBLE_KEY}`, 'anthropic-version': '2023-06-01' };
const messages = [{ role: 'user', content: 'Hi' }];

const post = async (double: MemoryLlm, path: string, body: unknown) => {
  const answer = await double.fetch(`${double.openaiUrl}${path}`, {
    method: 'POST',
    headers,
    body: body instanceof FormData ? body : JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

const get = async (double: MemoryLlm, path: string) => {
  const answer = await double.fetch(`${double.openaiUrl}${path}`, { headers });
  return { status: answer.status, text: await answer.text() };
};

const upload = async (double: MemoryLlm, text: string): Promise<string> => {
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new File([text], 'batch.jsonl'));
  const { body } = await post(double, '/files', form);
  expect(body).toMatchObject({ object: 'file', bytes: Buffer.byteLength(text), purpose: 'batch', status: 'processed' });
  return String(body['id']);
};

const line = (custom_id: string, changes: object = {}): string =>
  JSON.stringify({ custom_id, body: { model: 'gpt-double', messages, ...changes } });

const order = { endpoint: '/v1/chat/completions', completion_window: '24h' };

describe('files and batches of OpenAI', () => {
  test.each([
    ['text that is no JSON', 'oops', {}, 'The input file is not JSON Lines.'],
    ['a line without an id', '{}', {}, 'Each line of a batch needs a custom_id of its own.'],
    ['two lines of one id', `${line('a')}\n${line('a')}`, {}, 'Each line of a batch needs a custom_id of its own.'],
    ['another endpoint', line('a'), { endpoint: '/v1/files' }, "'/v1/files' is no endpoint of a batch."],
    ['another window', line('a'), { completion_window: '1h' }, "'completion_window' must be '24h'."],
  ])('a batch is refused for %s', async (_, text, changes, message) => {
    const double = new MemoryLlm();
    const input_file_id = await upload(double, text);
    const answer = await post(double, '/batches', { ...order, input_file_id, ...changes });
    expect(answer).toMatchObject({ status: 400, body: { error: { message, type: 'invalid_request_error' } } });
    expect(double.requests).toEqual([]);
  });

  test('what does not exist is not found', async () => {
    const double = new MemoryLlm();
    const noFile = await post(double, '/batches', { ...order, input_file_id: 'file-none' });
    expect(noFile).toMatchObject({ status: 404, body: { error: { message: 'No such file.', code: 'not_found' } } });
    expect((await get(double, '/files/file-none/content')).status).toBe(404);
    expect(await get(double, '/batches/none')).toMatchObject({
      status: 404,
      text: expect.stringContaining('No such batch.') as string,
    });
  });

  test('an upload needs a file and a purpose', async () => {
    const form = new FormData();
    form.set('purpose', 'batch');
    const answer = await post(new MemoryLlm(), '/files', form);
    expect(answer).toMatchObject({ status: 400, body: { error: { message: "'file' and 'purpose' are required." } } });
  });

  test('a file gives back what was sent', async () => {
    const double = new MemoryLlm();
    const id = await upload(double, `${line('ä')}\n`);
    expect(await get(double, `/files/${id}/content`)).toEqual({ status: 200, text: `${line('ä')}\n` });
  });

  test('a line that breaks fails alone; no file is made for no lines', async () => {
    const double = new MemoryLlm();
    double.next({ fault: { cutAfter: 0 } });
    const input_file_id = await upload(double, `${line('a')}\n\n`);
    const { body } = await post(double, '/batches', { ...order, input_file_id });
    expect(body).toMatchObject({ status: 'validating', output_file_id: null, error_file_id: null });
    const poll = async () => JSON.parse((await get(double, `/batches/${String(body['id'])}`)).text) as object;
    expect(await poll()).toMatchObject({
      status: 'in_progress',
      request_counts: { total: 1, completed: 0, failed: 0 },
    });
    const done = await poll();
    expect(done).toMatchObject({
      status: 'completed',
      output_file_id: null,
      error_file_id: expect.stringMatching(/^file-/u) as string,
      request_counts: { total: 1, completed: 0, failed: 1 },
    });
    expect(await poll()).toEqual(done);
  });
});

describe('batches of Anthropic', () => {
  const request = (custom_id: string, changes: object = {}) => ({
    custom_id,
    params: { model: 'claude-double', max_tokens: 10, messages, ...changes },
  });

  test.each([
    ['nothing', [], 'requests: at least one request is required'],
    ['an id with a space', [request('a b')], 'requests: custom_id does not match the pattern'],
    ['one id twice', [request('a'), request('a')], 'requests: custom_id values must be unique'],
  ])('%s is refused', async (_, requests, message) => {
    const answer = await post(new MemoryLlm(), '/messages/batches', { requests });
    expect(answer).toEqual({
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_double' },
    });
  });

  test('each result is what the model said, refused or broke off', async () => {
    const double = new MemoryLlm();
    double.next({ text: 'Rain.' }, { fault: { cutAfter: 0 } }, { text: 'streamed' });
    const requests = [
      request('good'),
      request('bad', { model: 'none' }),
      request('cut'),
      request('stream', { stream: true }),
      { custom_id: 'empty' },
    ];
    const { body } = await post(double, '/messages/batches', { requests });
    expect(body).toMatchObject({
      processing_status: 'in_progress',
      results_url: null,
      request_counts: { processing: 5 },
    });
    const id = String(body['id']);
    await get(double, `/messages/batches/${id}`);
    const ended = JSON.parse((await get(double, `/messages/batches/${id}`)).text) as object;
    expect(ended).toMatchObject({
      processing_status: 'ended',
      results_url: `${double.openaiUrl}/messages/batches/${id}/results`,
      request_counts: { processing: 0, succeeded: 1, errored: 4, canceled: 0, expired: 0 },
    });
    const { text } = await get(double, `/messages/batches/${id}/results`);
    const broken = { type: 'errored', error: { type: 'error', error: { type: 'api_error', message: 'cut' } } };
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((one): unknown => JSON.parse(one)),
    ).toMatchObject([
      { custom_id: 'good', result: { type: 'succeeded', message: { content: [{ text: 'Rain.' }] } } },
      { custom_id: 'bad', result: { type: 'errored', error: { error: { type: 'not_found_error' } } } },
      { custom_id: 'cut', result: broken },
      { custom_id: 'stream', result: broken },
      { custom_id: 'empty', result: { type: 'errored', error: { error: { message: 'model: Field required' } } } },
    ]);
  });

  test('a cancelled one has cancelled results; another one is not found', async () => {
    const double = new MemoryLlm();
    double.always({ text: 'Rain.' });
    const { body } = await post(double, '/messages/batches', { requests: [request('a')] });
    const path = `/messages/batches/${String(body['id'])}`;
    expect(await post(double, `${path}/cancel`, {})).toMatchObject({
      body: { processing_status: 'ended', request_counts: { succeeded: 0, canceled: 1 } },
    });
    expect((await get(double, `${path}/results`)).text).toBe('{"custom_id":"a","result":{"type":"canceled"}}\n');
    expect(await get(double, '/messages/batches/none')).toMatchObject({
      status: 404,
      text: expect.stringContaining('not_found_error') as string,
    });
  });
});

test('counting is as strict as the request itself, and takes no turn', async () => {
  const double = new MemoryLlm();
  const count = (body: object) => post(double, '/messages/count_tokens', { model: 'claude-double', messages, ...body });
  // "user" and "Hi", at four characters to a token.
  expect(await count({})).toEqual({ status: 200, body: { input_tokens: 2 } });
  expect(await count({ system: 'Be brief.' })).toMatchObject({ body: { input_tokens: 5 } });
  expect(await count({ max_tokens: 5 })).toMatchObject({
    status: 400,
    body: { error: { message: 'max_tokens: Extra inputs are not permitted' } },
  });
  expect(double.requests).toEqual([]);
});

test('embeddings: one vector for one text, in either format', async () => {
  const double = new MemoryLlm();
  const embed = (body: object) => post(double, '/embeddings', { model: 'embedding-double', ...body });
  const floats = (await embed({ input: ['one', 'three'] })).body;
  expect(floats['usage']).toEqual({ prompt_tokens: 3, total_tokens: 3 });
  const [first, second] = floats['data'] as { index: number; embedding: number[] }[];
  expect([first?.index, second?.index]).toEqual([0, 1]);
  expect(first?.embedding).not.toEqual(second?.embedding);
  const [coded] = (await embed({ input: 'one', encoding_format: 'base64' })).body['data'] as { embedding: string }[];
  const bytes = Buffer.from(coded?.embedding ?? '', 'base64');
  expect(first?.embedding).toEqual(first?.embedding.map((_, at) => bytes.readFloatLE(at * 4)));
  const refusal = (message: string) => ({ status: 400, body: { error: { message, param: 'input' } } });
  expect(await embed({ input: [] })).toMatchObject(refusal("'input' must not be an empty text."));
  const many = Array.from({ length: 2049 }, () => 'a');
  expect(await embed({ input: many })).toMatchObject(refusal("'input' has more than 2048 texts."));
});
