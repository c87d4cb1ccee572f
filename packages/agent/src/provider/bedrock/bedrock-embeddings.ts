import { eachAtMost, isJsonObject, tryJson } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import { wellFormed } from '../../conversation/well-formed.js';
import { ask, type AskParts } from '../ask.js';
import { ModelError } from '../error/model-error.js';
import type { ModelProvider } from '../provider.js';
import type { LoadedBedrock } from './bedrock-client.js';

type Vectors = readonly (readonly number[])[];

/** How a family of models is asked for vectors: Bedrock has no API of its own for them. */
interface EmbeddingFamily {
  readonly model: RegExp;
  readonly mostTexts: number;
  readonly body: (texts: readonly string[]) => object;
  /** Undefined: the answer has another shape. */
  readonly vectors: (answer: Readonly<Record<string, unknown>>) => unknown;
}

const FAMILIES: readonly EmbeddingFamily[] = [
  {
    model: /amazon\.titan-embed-text/u,
    mostTexts: 1,
    body: ([inputText]) => ({ inputText }),
    vectors: ({ embedding }) => [embedding],
  },
  {
    model: /cohere\.embed/u,
    mostTexts: 96,
    body: (texts) => ({ texts, input_type: 'search_document' }),
    vectors: ({ embeddings }) => (isJsonObject(embeddings) ? embeddings['float'] : embeddings),
  },
];

const PARALLEL = 4;

const familyOf = (model: string): EmbeddingFamily => {
  const found = FAMILIES.find((family) => family.model.test(model));
  if (found !== undefined) return found;
  throw new PlugboardError('INVALID_ARGUMENT', `The Bedrock model "${model}" is not known to create embeddings.`, {
    hint: 'Use amazon.titan-embed-text-… or cohere.embed-….',
  });
};

const isVectors = (value: unknown): value is Vectors =>
  Array.isArray(value) &&
  value.every((vector) => Array.isArray(vector) && vector.every((number) => typeof number === 'number'));

const slices = (texts: readonly string[], most: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(texts.length / most) }, (_, at) => texts.slice(at * most, (at + 1) * most));

/** Vectors in the order of the texts, from models of Titan and Cohere. */
export const bedrockEmbeddings =
  (load: () => Promise<LoadedBedrock>, parts: AskParts): NonNullable<ModelProvider['embed']> =>
  async (model, texts, options = {}) => {
    const { mostTexts, body, vectors } = familyOf(model);
    const usable = texts.map((text) => (text.trim() === '' ? ' ' : wellFormed(text)));
    const invoke = (slice: readonly string[]): Promise<Vectors> =>
      ask(parts, options, async (abortSignal) => {
        const { client, sdk } = await load();
        const input = { modelId: model, contentType: 'application/json', body: JSON.stringify(body(slice)) };
        const answer = await client.send(new sdk.InvokeModelCommand(input), { abortSignal });
        const read = tryJson(Buffer.from(answer.body).toString('utf8'));
        const found = isJsonObject(read) ? vectors(read) : undefined;
        if (isVectors(found) && found.length === slice.length) return found;
        throw new ModelError('server', {
          provider: parts.provider,
          said: 'the answer has not one vector for each text.',
        });
      });
    return (await eachAtMost(PARALLEL, slices(usable, mostTexts), invoke)).flat();
  };
