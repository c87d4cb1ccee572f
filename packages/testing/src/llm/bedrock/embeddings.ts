import { refuse } from '../script/refusal.js';
import type { SideRoute } from '../script/side-route.js';
import { vectorOf } from '../script/vector-of.js';
import { textIn } from '../wire/json-view.js';
import { jsonReply } from '../wire/reply.js';
import { authorize, readBody, readModel } from './read-converse.js';
import type { AwsCredentials } from './signature.js';

const MOST_TEXTS = 96;

const numbersOf = (text: string): readonly number[] => [...vectorOf(text)];

/** InvokeModel for the models of Titan and Cohere that embed texts, each with the body of its family. */
export const bedrockEmbeddings = (credentials: AwsCredentials): SideRoute => ({
  method: 'POST',
  path: /^\/model\/([^/]+)\/invoke$/u,
  answer: (arrival, { reading }, encoded = '') => {
    authorize(arrival, reading, credentials);
    const { model } = readModel(encoded, reading);
    const body = readBody(arrival);
    if (model.includes('titan-embed')) {
      const text = textIn(body['inputText']);
      if (text === '') refuse('Malformed input request: expected minLength: 1, actual: 0, please reformat your input.');
      return jsonReply({ embedding: numbersOf(text), inputTextTokenCount: Math.ceil(text.length / 4) });
    }
    const texts = Array.isArray(body['texts']) ? body['texts'].map(textIn) : [];
    if (texts.length === 0 || texts.length > MOST_TEXTS) refuse(`texts must have 1 to ${MOST_TEXTS} members.`);
    if (typeof body['input_type'] !== 'string') refuse('input_type is required.');
    return jsonReply({
      id: 'embedding-double',
      texts,
      embeddings: texts.map(numbersOf),
      response_type: 'embeddings_floats',
    });
  },
});
