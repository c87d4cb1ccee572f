import { DOUBLE_BUCKET, DOUBLE_CREDENTIALS, DOUBLE_KEY } from '@plugboard/testing/llm';
import { describe, expect, it } from 'vitest';
import { type Message, userText } from '../../conversation/message.js';
import { MODELS, ROLE_ARN, settingOf, type ProviderSetting } from '../../test-support/memory-providers.js';
import type { BatchState } from '../provider.js';
import { bedrockProvider } from './bedrock-provider.js';

const model = MODELS.bedrock;
const batchSetting = (changes: Parameters<typeof settingOf>[1] = {}): ProviderSetting =>
  settingOf('bedrock', { fewestBatchRecords: 1, ...changes });

const batchesOf = ({ provider }: ProviderSetting) => {
  if (provider.batches === undefined) throw new Error('no batches');
  return provider.batches;
};

const ask = (id: string, messages: readonly Message[] = [userText('Hi.')]) => ({ id, request: { model, messages } });

const whenDone = async (setting: ProviderSetting, submitted: BatchState): Promise<BatchState> => {
  let state = submitted;
  for (let poll = 0; poll < 5 && !state.done; poll += 1) state = await batchesOf(setting).poll(state.id);
  return state;
};

/** What was sent to S3 and to the control plane, without the host. */
const sent = ({ double }: ProviderSetting): readonly string[] =>
  double.arrivals.filter(({ path }) => !path.startsWith('/model/')).map(({ method, path }) => `${method} ${path}`);

describe('a batch of Bedrock', () => {
  it('is a file in S3 and a job; each request has its own outcome', async () => {
    const setting = batchSetting();
    setting.double.next(
      { text: 'Rain.', usage: { input: 7, output: 2 } },
      { fault: { status: 424, message: 'Broken.' } },
    );
    const submitted = await batchesOf(setting).submit([ask('one'), ask('two ä/?')]);
    expect(submitted).toMatchObject({ status: 'Submitted', done: false });
    expect(await batchesOf(setting).results(submitted.id)).toEqual([]);
    expect(await whenDone(setting, submitted)).toEqual({ id: submitted.id, status: 'Completed', done: true });
    expect(await batchesOf(setting).results(submitted.id)).toMatchObject([
      { id: 'one', answer: { model, content: [{ type: 'text', text: 'Rain.' }], usage: { input: 7, total: 9 } } },
      { id: 'two ä/?', error: { message: 'Broken.', status: 424 } },
    ]);
    const [put = '', create, ...rest] = sent(setting);
    expect(put).toMatch(new RegExp(`^PUT /${DOUBLE_BUCKET}/batches/plugboard-[0-9a-f-]{36}\\.jsonl$`, 'u'));
    expect(create).toBe('POST /model-invocation-job');
    expect(rest.at(-1)).toMatch(
      new RegExp(`^GET /${DOUBLE_BUCKET}/batches/[0-9a-z]{12}/plugboard-.*\\.jsonl\\.out$`, 'u'),
    );
    expect(
      JSON.parse(setting.double.arrivals.find(({ path }) => path === '/model-invocation-job')?.body.toString() ?? ''),
    ).toMatchObject({
      modelId: model,
      modelInvocationType: 'Converse',
      roleArn: ROLE_ARN,
      outputDataConfig: { s3OutputDataConfig: { s3Uri: `s3://${DOUBLE_BUCKET}/batches/` } },
    });
  });

  it('has pictures and hidden thoughts as Base64', async () => {
    const setting = batchSetting();
    const hidden = { reasoningContent: { redactedContent: 'AQID' } };
    setting.double.always({
      text: 'A cloud.',
      tamper: (body) => ({
        ...body,
        output: { message: { content: [{ reasoningContent: { redactedContent: 'AQID' } }, { text: 'A cloud.' }] } },
      }),
    });
    const picture = { type: 'image' as const, data: 'aGk=', mimeType: 'image/png' };
    const messages: readonly Message[] = [
      { role: 'user', content: [picture, { type: 'text', text: 'What is it?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: '', opaque: { provider: 'bedrock', value: hidden } },
          { type: 'text', text: 'A cat.' },
        ],
      },
      userText('No.'),
    ];
    const submitted = await batchesOf(setting).submit([ask('one', messages)]);
    const file = setting.double.arrivals.find(({ method }) => method === 'PUT')?.body.toString() ?? '';
    expect(file).toContain('"source":{"bytes":"aGk="}');
    expect(file).toContain('{"reasoningContent":{"redactedContent":"AQID"}}');
    await whenDone(setting, submitted);
    expect(await batchesOf(setting).results(submitted.id)).toMatchObject([
      { answer: { content: [{ type: 'thinking', opaque: { value: hidden } }, { text: 'A cloud.' }] } },
    ]);
  });

  it('that was stopped has no results', async () => {
    const setting = batchSetting();
    setting.double.always({ text: 'Rain.' });
    const { id } = await batchesOf(setting).submit([ask('one')]);
    expect(await batchesOf(setting).cancel(id)).toEqual({ id, status: 'Stopped', done: true });
    expect(await batchesOf(setting).results(id)).toEqual([]);
    await expect(batchesOf(setting).cancel(id)).rejects.toMatchObject({ failure: 'bad-request' });
  });

  it('that failed says why', async () => {
    const setting = settingOf('bedrock');
    const submitted = await batchesOf(setting).submit([ask('one')]);
    expect(await whenDone(setting, submitted)).toMatchObject({ status: 'Failed', done: true });
    await expect(batchesOf(setting).results(submitted.id)).rejects.toMatchObject({
      failure: 'bad-request',
      message: expect.stringContaining('The job has 1 records. The minimum is 100.') as string,
    });
  });

  it('of two models is not sent', async () => {
    const setting = batchSetting();
    const other = { id: 'two', request: { model: 'meta.llama3', messages: [userText('Hi.')] } };
    await expect(batchesOf(setting).submit([ask('one'), other])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(setting.double.arrivals).toEqual([]);
  });

  it.each([
    [
      'an unknown bucket',
      { s3Uri: 's3://another-bucket/x' },
      { failure: 'not-found', message: /bucket does not exist/u },
    ],
    ['a role that is none', { roleArn: 'admin' }, { failure: 'bad-request', message: /roleArn/u }],
    ['a time that is too short', { timeoutHours: 2 }, { failure: 'bad-request', message: /timeoutDurationInHours/u }],
  ])('is refused for %s', async (_, batch, { failure, message }) => {
    const refused = batchesOf(batchSetting({ batch })).submit([ask('one')]);
    await expect(refused).rejects.toMatchObject({ failure, message: expect.stringMatching(message) as string });
  });

  it('is refused with a wrong secret, which is in no message', async () => {
    const refused = batchesOf(batchSetting({ apiKey: 'wrong-secret' })).submit([ask('one')]);
    await expect(refused).rejects.toMatchObject({ failure: 'authentication', status: 403 });
    await expect(refused).rejects.not.toThrow('wrong-secret');
  });

  it('that does not exist is not found', async () => {
    const setting = batchSetting();
    await expect(batchesOf(setting).poll('none')).rejects.toMatchObject({ failure: 'not-found' });
  });

  it('ends with its signal', async () => {
    const setting = batchSetting();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(batchesOf(setting).submit([ask('one')], { signal })).rejects.toThrow('enough');
  });
});

const { region, ...credentials } = DOUBLE_CREDENTIALS;

describe.each(['submit', 'poll', 'results', 'cancel'] as const)('%s of a batch', (step) => {
  it.each([
    ['without a place in S3', { region, credentials }, 's3Uri'],
    [
      'with a key of the Bedrock API',
      { region, apiKey: DOUBLE_KEY, batch: { s3Uri: 's3://double-bucket', roleArn: ROLE_ARN } },
      'credentials',
    ],
  ])('%s says what is missing', async (_, options, hint) => {
    const { batches } = bedrockProvider(options);
    await expect(step === 'submit' ? batches?.submit([ask('one')]) : batches?.[step]('job')).rejects.toMatchObject({
      failure: 'unsupported',
      code: 'MODEL_BAD_REQUEST',
      retryable: false,
      hint: expect.stringContaining(hint) as string,
    });
  });
});

it('a place that is not in S3 is refused when the provider is created', () => {
  const batch = { s3Uri: 'https://bucket.s3.amazonaws.com', roleArn: ROLE_ARN };
  expect(() => bedrockProvider({ region, credentials, batch })).toThrow('is not the address of a folder in S3');
});

it.each([
  [
    'eu-north-1',
    's3://requests/a b',
    /^https:\/\/requests\.s3\.eu-north-1\.amazonaws\.com\/a%20b\/plugboard-.*\.jsonl$/u,
  ],
  ['eu-north-1', 's3://my.requests', /^https:\/\/s3\.eu-north-1\.amazonaws\.com\/my\.requests\/plugboard-/u],
  ['cn-north-1', 's3://requests', /^https:\/\/requests\.s3\.cn-north-1\.amazonaws\.com\.cn\/plugboard-/u],
])('in %s, the requests of %s are written to the address of its bucket', async (place, s3Uri, url) => {
  const urls: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    urls.push(String(input instanceof Request ? input.url : input));
    return Response.json({ jobArn: 'arn:aws:bedrock:x:123456789012:model-invocation-job/abcdefghijkl' });
  };
  const { batches } = bedrockProvider({ region: place, credentials, batch: { s3Uri, roleArn: ROLE_ARN, fetch } });
  await batches?.submit([ask('one')]);
  expect(urls[0]).toMatch(url);
  expect(urls[1]).toMatch(/^https:\/\/bedrock\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?\/model-invocation-job$/u);
});
