import { randomUUID } from 'node:crypto';
import { isJsonObject, tryJson } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import { ask, type AskParts } from '../ask.js';
import { checkItems } from '../check-items.js';
import { ModelError } from '../error/model-error.js';
import type { FeatureLookup } from '../feature/model-features.js';
import type { BatchItem, BatchResult, BatchState, ModelBatches } from '../provider.js';
import { type Members, membersOf, stringOf } from '../wire-json.js';
import { type AwsSender, sendToAws } from './aws-http.js';
import { encodeSegment } from './aws-signature.js';
import { bedrockAnswer } from './bedrock-answer.js';
import type { BedrockOptions } from './bedrock-client.js';
import { bedrockRequest } from './bedrock-request.js';
import { awsDomain, s3Folder, s3Objects } from './s3-objects.js';

const DONE: ReadonlySet<string> = new Set(['Completed', 'PartiallyCompleted', 'Failed', 'Stopped', 'Expired']);

const stateOf = ({ jobArn, status }: Members): BatchState => ({
  id: stringOf(jobArn),
  status: stringOf(status),
  done: DONE.has(stringOf(status)),
});

const modelOf = (items: readonly BatchItem[]): string => {
  const [model = '', another] = new Set(items.map(({ request }) => request.model));
  if (another === undefined) return model;
  throw new PlugboardError('INVALID_ARGUMENT', `The batch asks two models: "${model}" and "${another}".`, {
    hint: 'A batch job of Bedrock asks one model. Submit one batch for each model.',
  });
};

/** JSON has no bytes: Converse reads them as Base64. */
const bytesAsText = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(bytesAsText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, bytesAsText(one)]));
};

const lineOf = ({ id, request }: BatchItem, features: FeatureLookup): string => {
  const { modelId: _, ...modelInput } = bedrockRequest(request, features);
  return JSON.stringify({ recordId: id, modelInput: bytesAsText(modelInput) });
};

const resultOf = (line: unknown, model: string): BatchResult[] => {
  if (!isJsonObject(line)) return [];
  const { recordId, modelOutput, error } = line;
  const id = stringOf(recordId);
  if (isJsonObject(modelOutput)) return [{ id, answer: bedrockAnswer(modelOutput, model) }];
  const { errorCode, errorMessage } = membersOf(error);
  return [
    {
      id,
      error: {
        message: stringOf(errorMessage) || 'The request failed.',
        status: typeof errorCode === 'number' ? errorCode : null,
      },
    },
  ];
};

const s3UriIn = (config: unknown, member: string): string => stringOf(membersOf(membersOf(config)[member])['s3Uri']);

/** The results of a job are in a folder of its own, in a file that is named after that of its requests. */
const outputUri = ({ jobArn, inputDataConfig, outputDataConfig }: Members): string => {
  const input = s3UriIn(inputDataConfig, 's3InputDataConfig');
  const folder = s3Folder(s3UriIn(outputDataConfig, 's3OutputDataConfig'));
  return `${folder}${stringOf(jobArn).split('/').at(-1)}/${input.split('/').at(-1)}.out`;
};

const refusing = (provider: string, said: string, hint: string): ModelBatches => {
  const refuse = async (): Promise<never> => {
    throw new ModelError('unsupported', { provider, said, hint });
  };
  return { submit: refuse, poll: refuse, results: refuse, cancel: refuse };
};

/** Batches of Converse: model invocation jobs, with their requests and results in S3. */
export const bedrockBatches = (options: BedrockOptions, parts: AskParts, features: FeatureLookup): ModelBatches => {
  const { batch, region, credentials } = options;
  if (batch === undefined) {
    return refusing(
      parts.provider,
      'its batch jobs read requests from S3 and write results to S3, and no place in S3 was named.',
      "Create the provider with batch: { s3Uri: 's3://bucket/folder', roleArn }.",
    );
  }
  if (credentials === undefined) {
    return refusing(
      parts.provider,
      'its batch jobs read requests from S3, which does not accept a key of the Bedrock API.',
      'Create the provider with credentials instead of apiKey.',
    );
  }
  const { s3Url, controlUrl = `https://bedrock.${region}.${awsDomain(region)}`, roleArn, timeoutHours } = batch;
  const folder = s3Folder(batch.s3Uri);
  const sender: AwsSender = { fetch: batch.fetch ?? globalThis.fetch, region, credentials };
  const objects = s3Objects(sender, s3Url);

  const control = async (
    method: 'GET' | 'POST',
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<Members> => {
    const url = new URL(`${controlUrl.replace(/\/+$/u, '')}/model-invocation-job${path}`);
    const sent = body === undefined ? {} : { contentType: 'application/json', body: JSON.stringify(body) };
    return membersOf(tryJson(await sendToAws(sender, { service: 'bedrock', method, url, ...sent, signal })));
  };
  const read = (id: string, signal: AbortSignal): Promise<Members> => control('GET', `/${encodeSegment(id)}`, signal);

  return {
    submit: (items, asked = {}) =>
      ask(parts, asked, async (signal) => {
        checkItems(items);
        const modelId = modelOf(items);
        const jobName = `plugboard-${randomUUID()}`;
        const s3Uri = `${folder}${jobName}.jsonl`;
        await objects.put(s3Uri, `${items.map((item) => lineOf(item, features)).join('\n')}\n`, signal);
        const { jobArn } = await control('POST', '', signal, {
          jobName,
          clientRequestToken: jobName,
          modelId,
          modelInvocationType: 'Converse',
          roleArn,
          inputDataConfig: { s3InputDataConfig: { s3Uri, s3InputFormat: 'JSONL' } },
          outputDataConfig: { s3OutputDataConfig: { s3Uri: folder } },
          ...(timeoutHours === undefined ? {} : { timeoutDurationInHours: timeoutHours }),
        });
        return { id: stringOf(jobArn), status: 'Submitted', done: false };
      }),
    poll: (id, asked = {}) => ask(parts, asked, async (signal) => stateOf(await read(id, signal))),
    cancel: (id, asked = {}) =>
      ask(parts, asked, async (signal) => {
        await control('POST', `/${encodeSegment(id)}/stop`, signal);
        return stateOf(await read(id, signal));
      }),
    results: (id, asked = {}) =>
      ask(parts, asked, async (signal) => {
        const job = await read(id, signal);
        const text = stateOf(job).done ? await objects.get(outputUri(job), signal) : '';
        if (text !== undefined) {
          return text.split('\n').flatMap((line) => resultOf(tryJson(line), stringOf(job['modelId'])));
        }
        if (job['status'] !== 'Failed') return [];
        throw new ModelError('bad-request', { provider: parts.provider, said: stringOf(job['message']) });
      }),
  };
};
