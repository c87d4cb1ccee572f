import type { JsonObject } from '../../json-rpc/message.js';
import { Refusal, refuse } from '../script/refusal.js';
import type { SideContext, SideRoute } from '../script/side-route.js';
import type { Arrival } from '../wire/arrival.js';
import { isObject, numberIn, textIn } from '../wire/json-view.js';
import { jsonReply } from '../wire/reply.js';
import { authorize, readBody, readModel } from './read-converse.js';
import { type Buckets, objectAt, putObject } from './s3.js';
import type { AwsCredentials } from './signature.js';

/** The members of CreateModelInvocationJob, as documented in November 2026. */
const MEMBERS = new Set(
  (
    'clientRequestToken inputDataConfig jobName modelId modelInvocationType outputDataConfig roleArn tags ' +
    'timeoutDurationInHours vpcConfig'
  ).split(' '),
);

const JOB_NAME = /^[a-zA-Z0-9]{1,63}(-*[a-zA-Z0-9+\-.]){0,63}$/u;
const ROLE = /^arn:aws(-[^:]+)?:iam::(\d{12})?:role\/.+$/u;
const S3_URI = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/.*)?$/u;
const OPERATIONS = { Converse: 'converse', InvokeModel: 'invoke' } as const;
const SUBMITTED_AT = '2026-11-18T00:00:00Z';
const ENDED = new Set(['Completed', 'Failed', 'Stopped']);

interface JobOrder {
  readonly jobName: string;
  readonly modelId: string;
  readonly modelInvocationType: keyof typeof OPERATIONS;
  readonly roleArn: string;
  readonly inputUri: string;
  readonly outputUri: string;
  readonly token: string | undefined;
}

interface Job {
  readonly id: string;
  readonly order: JobOrder;
  /** What Bedrock would write, or why it does not begin. */
  readonly outcome: { readonly files: ReadonlyMap<string, string> } | { readonly problem: string };
  status: 'Submitted' | 'InProgress' | 'Completed' | 'Failed' | 'Stopped';
}

const uriIn = (config: unknown, member: string): string => {
  const inner = isObject(config) ? config[member] : undefined;
  const uri = isObject(inner) ? textIn(inner['s3Uri']) : '';
  return S3_URI.test(uri) ? uri : refuse(`Value at '${member}.s3Uri' failed to satisfy constraint: s3://bucket/key`);
};

const isOperation = (type: string): type is keyof typeof OPERATIONS => Object.hasOwn(OPERATIONS, type);

const readOrder = (arrival: Arrival, { reading }: SideContext): JobOrder => {
  const body = readBody(arrival);
  const stranger = Object.keys(body).find((name) => !MEMBERS.has(name));
  if (stranger !== undefined) refuse(`Unknown member: ${stranger}`);
  const [jobName, roleArn] = [textIn(body['jobName']), textIn(body['roleArn'])];
  if (!JOB_NAME.test(jobName)) refuse("Value at 'jobName' failed to satisfy constraint: a name of at most 63 letters");
  if (!ROLE.test(roleArn)) refuse("Value at 'roleArn' failed to satisfy constraint: the ARN of a role");
  const modelInvocationType = textIn(body['modelInvocationType'] ?? 'InvokeModel');
  if (!isOperation(modelInvocationType)) {
    return refuse("Value at 'modelInvocationType' must be InvokeModel or Converse");
  }
  const hours = numberIn(body['timeoutDurationInHours'] ?? 24) ?? 0;
  if (hours < 24 || hours > 168) refuse("Value at 'timeoutDurationInHours' must be 24 to 168");
  const { model } = readModel(encodeURIComponent(textIn(body['modelId'])), reading);
  return {
    jobName,
    roleArn,
    modelInvocationType,
    modelId: model,
    inputUri: uriIn(body['inputDataConfig'], 's3InputDataConfig'),
    outputUri: uriIn(body['outputDataConfig'], 's3OutputDataConfig'),
    token: typeof body['clientRequestToken'] === 'string' ? body['clientRequestToken'] : undefined,
  };
};

/** The records of the input; a text says what is wrong with it. */
const recordsOf = (input: Buffer | undefined, fewest: number): readonly JsonObject[] | string => {
  if (input === undefined) return 'The input of the job cannot be read: the object does not exist.';
  const records: JsonObject[] = [];
  for (const line of input.toString('utf8').split('\n')) {
    if (line.trim() === '') continue;
    try {
      const record: unknown = JSON.parse(line);
      if (!isObject(record) || !isObject(record['modelInput'])) throw new Error('no record');
      records.push(record);
    } catch {
      return 'The input of the job is not JSON Lines with a modelInput each.';
    }
  }
  return records.length < fewest ? `The job has ${records.length} records. The minimum is ${fewest}.` : records;
};

/** Model invocation jobs: a job is done with the second look at it, and its results are then in S3. */
export const invocationJobs = (
  credentials: AwsCredentials,
  buckets: Buckets,
  fewestRecords: number,
): readonly SideRoute[] => {
  const jobs = new Map<string, Job>();

  const runOne = async (record: JsonObject, { modelId, modelInvocationType }: JobOrder, context: SideContext) => {
    const [key = ''] = context.reading.keys;
    const path = `/model/${encodeURIComponent(modelId)}/${OPERATIONS[modelInvocationType]}`;
    const reply = await context.complete(path, record['modelInput'], { authorization: `Bearer ${key}` });
    const isWhole = typeof reply === 'object' && 'status' in reply;
    const text = isWhole ? reply.body.toString() : '{"message":"The model broke off."}';
    const body = JSON.parse(text) as JsonObject;
    const status = isWhole ? reply.status : 500;
    const recordId = textIn(record['recordId']) || context.id('RECORD');
    const { modelInput } = record;
    if (status < 400) return { recordId, modelInput, modelOutput: body };
    return { recordId, modelInput, error: { errorCode: status, errorMessage: textIn(body['message']) } };
  };

  const runAll = async (order: JobOrder, context: SideContext): Promise<Job['outcome']> => {
    const records = recordsOf(objectAt(buckets, order.inputUri), fewestRecords);
    if (typeof records === 'string') return { problem: records };
    const lines = [];
    for (const record of records) lines.push(await runOne(record, order, context));
    const errorRecordCount = lines.filter((line) => 'error' in line).length;
    const manifest = {
      totalRecordCount: lines.length,
      processedRecordCount: lines.length,
      successRecordCount: lines.length - errorRecordCount,
      errorRecordCount,
    };
    return {
      files: new Map([
        [`${order.inputUri.split('/').at(-1)}.out`, lines.map((line) => `${JSON.stringify(line)}\n`).join('')],
        ['manifest.json.out', JSON.stringify(manifest)],
      ]),
    };
  };

  const arnOf = ({ id }: Job): string =>
    `arn:aws:bedrock:${credentials.region}:123456789012:model-invocation-job/${id}`;

  const find = (encoded: string): Job => {
    const id = decodeURIComponent(encoded);
    const job = [...jobs.values()].find((one) => one.id === id || arnOf(one) === id);
    if (job !== undefined) return job;
    throw new Refusal({ status: 404, message: 'Could not find the model invocation job.' });
  };

  const advance = (job: Job): void => {
    if (ENDED.has(job.status)) return;
    if ('problem' in job.outcome) {
      job.status = 'Failed';
    } else if (job.status === 'Submitted') {
      job.status = 'InProgress';
    } else {
      job.status = 'Completed';
      const folder = job.order.outputUri.replace(/\/*$/u, '/');
      for (const [name, text] of job.outcome.files) putObject(buckets, `${folder}${job.id}/${name}`, Buffer.from(text));
    }
  };

  const shown = (job: Job): object => {
    const { jobName, modelId, roleArn, modelInvocationType, inputUri, outputUri, token } = job.order;
    return {
      jobArn: arnOf(job),
      jobName,
      modelId,
      modelInvocationType,
      roleArn,
      status: job.status,
      submitTime: SUBMITTED_AT,
      lastModifiedTime: SUBMITTED_AT,
      inputDataConfig: { s3InputDataConfig: { s3Uri: inputUri, s3InputFormat: 'JSONL' } },
      outputDataConfig: { s3OutputDataConfig: { s3Uri: outputUri } },
      ...(token === undefined ? {} : { clientRequestToken: token }),
      ...('problem' in job.outcome && job.status === 'Failed' ? { message: job.outcome.problem } : {}),
    };
  };

  return [
    {
      method: 'POST',
      path: /^\/model-invocation-job$/u,
      answer: async (arrival, context) => {
        authorize(arrival, context.reading, credentials);
        const order = readOrder(arrival, context);
        const same = [...jobs.values()].find(({ order: { token } }) => token !== undefined && token === order.token);
        if (same !== undefined) return jsonReply({ jobArn: arnOf(same) });
        const id = context.id('job').padStart(12, '0');
        const job: Job = { id, order, outcome: await runAll(order, context), status: 'Submitted' };
        jobs.set(id, job);
        return jsonReply({ jobArn: arnOf(job) });
      },
    },
    {
      method: 'GET',
      path: /^\/model-invocation-job\/([^/]+)$/u,
      answer: (arrival, { reading }, id = '') => {
        authorize(arrival, reading, credentials);
        const job = find(id);
        advance(job);
        return jsonReply(shown(job));
      },
    },
    {
      method: 'POST',
      path: /^\/model-invocation-job\/([^/]+)\/stop$/u,
      answer: (arrival, { reading }, id = '') => {
        authorize(arrival, reading, credentials);
        const job = find(id);
        if (ENDED.has(job.status)) refuse('The job has already ended.', { type: 'ConflictException' });
        job.status = 'Stopped';
        return jsonReply({});
      },
    },
  ];
};
