import { countTokens } from '../script/reckon-usage.js';
import { refuse } from '../script/refusal.js';
import type { SideRoute } from '../script/side-route.js';
import { vectorOf } from '../script/vector-of.js';
import { textIn } from '../wire/json-view.js';
import { jsonReply } from '../wire/reply.js';
import { authorize, readBody, readModel } from './read-openai.js';

const MOST_INPUTS = 2048;

const written = (vector: Float32Array, format: unknown): unknown =>
  format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];

export const openaiEmbeddings: SideRoute = {
  method: 'POST',
  path: /^\/v1\/embeddings$/u,
  answer: (arrival, { reading }) => {
    authorize(arrival, reading);
    const body = readBody(arrival);
    const { model } = readModel(body, [], reading);
    const inputs = (Array.isArray(body['input']) ? body['input'] : [body['input']]).map(textIn);
    if (inputs.length > MOST_INPUTS) refuse(`'input' has more than ${MOST_INPUTS} texts.`, { param: 'input' });
    if (inputs.includes('') || inputs.length === 0) refuse("'input' must not be an empty text.", { param: 'input' });
    const tokens = inputs.reduce((sum, text) => sum + countTokens(text), 0);
    const data = inputs.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: written(vectorOf(text), body['encoding_format']),
    }));
    return jsonReply({ object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } });
  },
};
