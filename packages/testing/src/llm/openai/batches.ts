import { isObject, textIn } from '../wire/json-view.js';
import { jsonReply } from '../wire/reply.js';
import { Refusal, refuse } from '../script/refusal.js';
import type { SideContext, SideRoute } from '../script/side-route.js';
import { authorize, readBody } from './read-openai.js';

interface Batch {
  readonly id: string;
  readonly endpoint: string;
  readonly inputFile: string;
  readonly outputFile: string | null;
  readonly errorFile: string | null;
  readonly total: number;
  readonly failed: number;
  polls: number;
  cancelled: boolean;
}

const CREATED = 1_760_000_000;
const STAGES = ['validating', 'in_progress', 'completed'] as const;
const ENDPOINTS = new Set(['/v1/chat/completions', '/v1/responses', '/v1/embeddings']);

const fileObject = (id: string, text: string, purpose: string) => ({
  id,
  object: 'file',
  bytes: Buffer.byteLength(text),
  created_at: CREATED,
  filename: `${id}.jsonl`,
  purpose,
  status: 'processed',
});

const batchObject = ({ id, endpoint, inputFile, outputFile, errorFile, total, failed, polls, cancelled }: Batch) => {
  const status = cancelled ? 'cancelled' : STAGES[Math.min(polls, STAGES.length - 1)];
  const done = status === 'completed';
  return {
    id,
    object: 'batch',
    endpoint,
    errors: null,
    input_file_id: inputFile,
    completion_window: '24h',
    status,
    output_file_id: done ? outputFile : null,
    error_file_id: done ? errorFile : null,
    created_at: CREATED,
    expires_at: CREATED + 86_400,
    completed_at: done ? CREATED + 60 : null,
    request_counts: { total, completed: done ? total - failed : 0, failed: done ? failed : 0 },
    metadata: null,
  };
};

const linesOf = (text: string): readonly unknown[] => {
  try {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line): unknown => JSON.parse(line));
  } catch {
    return refuse('The input file is not JSON Lines.', { param: 'input_file_id' });
  }
};

/** Files and batches: a batch is done with the second look at it, one stage at a time. */
export const openaiBatches = (): readonly SideRoute[] => {
  const files = new Map<string, { readonly text: string; readonly purpose: string }>();
  const batches = new Map<string, Batch>();

  const missing = (what: string): never => {
    throw new Refusal({ status: 404, message: `No such ${what}.`, code: 'not_found' });
  };

  const runLine = async (line: unknown, endpoint: string, context: SideContext, headers: Record<string, string>) => {
    const request = isObject(line) ? line : {};
    const reply = await context.complete(endpoint, request['body'], headers);
    const status_code = typeof reply === 'object' && 'status' in reply ? reply.status : 500;
    const text = typeof reply === 'object' && 'body' in reply ? reply.body.toString() : 'null';
    const response = { status_code, request_id: context.id('req_'), body: JSON.parse(text) as unknown };
    return { id: context.id('batch_req_'), custom_id: textIn(request['custom_id']), response, error: null };
  };

  const create: SideRoute['answer'] = async (arrival, context) => {
    authorize(arrival, context.reading);
    const body = readBody(arrival);
    const inputFile = textIn(body['input_file_id']);
    const endpoint = textIn(body['endpoint']);
    const input = files.get(inputFile) ?? missing('file');
    if (!ENDPOINTS.has(endpoint)) refuse(`'${endpoint}' is no endpoint of a batch.`, { param: 'endpoint' });
    if (body['completion_window'] !== '24h') {
      refuse("'completion_window' must be '24h'.", { param: 'completion_window' });
    }
    const lines = linesOf(input.text);
    const ids = lines.map((line) => (isObject(line) ? textIn(line['custom_id']) : ''));
    if (ids.includes('') || new Set(ids).size < ids.length) {
      refuse('Each line of a batch needs a custom_id of its own.', { param: 'input_file_id' });
    }
    const results: Awaited<ReturnType<typeof runLine>>[] = [];
    for (const line of lines) results.push(await runLine(line, endpoint, context, { ...arrival.headers }));
    const keep = (wanted: boolean): string | null => {
      const kept = results.filter(({ response }) => response.status_code < 400 === wanted);
      if (kept.length === 0) return null;
      const id = context.id('file-');
      files.set(id, { text: kept.map((one) => JSON.stringify(one)).join('\n'), purpose: 'batch_output' });
      return id;
    };
    const failed = results.filter(({ response }) => response.status_code >= 400).length;
    const id = context.id('batch_');
    const batch = {
      id,
      endpoint,
      inputFile,
      outputFile: keep(true),
      errorFile: keep(false),
      total: lines.length,
      failed,
      polls: 0,
      cancelled: false,
    };
    batches.set(id, batch);
    return jsonReply(batchObject(batch));
  };

  const upload: SideRoute['answer'] = async (arrival, context) => {
    authorize(arrival, context.reading);
    const form = await new Response(new Uint8Array(arrival.body), { headers: { ...arrival.headers } }).formData();
    const [file, purpose] = [form.get('file'), form.get('purpose')];
    if (file === null || typeof file === 'string' || typeof purpose !== 'string') {
      return refuse("'file' and 'purpose' are required.", { param: 'file' });
    }
    const id = context.id('file-');
    const text = await file.text();
    files.set(id, { text, purpose });
    return jsonReply(fileObject(id, text, purpose));
  };

  return [
    { method: 'POST', path: /^\/v1\/files$/u, answer: upload },
    {
      method: 'GET',
      path: /^\/v1\/files\/([^/]+)\/content$/u,
      answer: (arrival, { reading }, id = '') => {
        authorize(arrival, reading);
        const { text } = files.get(id) ?? missing('file');
        return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: text };
      },
    },
    { method: 'POST', path: /^\/v1\/batches$/u, answer: create },
    {
      method: 'GET',
      path: /^\/v1\/batches\/([^/]+)$/u,
      answer: (arrival, { reading }, id = '') => {
        authorize(arrival, reading);
        const batch = batches.get(id) ?? missing('batch');
        batch.polls += 1;
        return jsonReply(batchObject(batch));
      },
    },
    {
      method: 'POST',
      path: /^\/v1\/batches\/([^/]+)\/cancel$/u,
      answer: (arrival, { reading }, id = '') => {
        authorize(arrival, reading);
        const batch = batches.get(id) ?? missing('batch');
        batch.cancelled = true;
        return jsonReply(batchObject(batch));
      },
    },
  ];
};
