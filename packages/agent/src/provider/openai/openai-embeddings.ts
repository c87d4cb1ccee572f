import { wellFormed } from '../../conversation/well-formed.js';
import { ask, type AskParts } from '../ask.js';
import { ModelError } from '../error/model-error.js';
import type { ModelProvider } from '../provider.js';
import type { LoadedOpenAi } from './openai-client.js';

const MOST_TEXTS = 2048;

/** OpenAI rejects empty texts. */
const embeddable = (text: string): string => (text.trim() === '' ? ' ' : wellFormed(text));

/** Vectors in the order of the texts. A batch that is too large for the endpoint is halved. */
export const openAiEmbeddings = (
  load: () => Promise<LoadedOpenAi>,
  parts: AskParts,
): NonNullable<ModelProvider['embed']> => {
  const embed: NonNullable<ModelProvider['embed']> = async (model, texts, options = {}) => {
    if (texts.length === 0) return [];
    const halves = async (size: number): Promise<readonly (readonly number[])[]> => [
      ...(await embed(model, texts.slice(0, size), options)),
      ...(await embed(model, texts.slice(size), options)),
    ];
    if (texts.length > MOST_TEXTS) return halves(MOST_TEXTS);
    try {
      return await ask(parts, options, async (signal) => {
        const { client } = await load();
        const { data } = await client.embeddings.create({ model, input: texts.map(embeddable) }, { signal });
        return [...data].sort((a, b) => a.index - b.index).map(({ embedding }) => embedding);
      });
    } catch (thrown) {
      const tooMuch =
        thrown instanceof ModelError && ['bad-request', 'context-window', 'server'].includes(thrown.failure);
      if (!tooMuch || texts.length === 1) throw thrown;
      return halves(Math.ceil(texts.length / 2));
    }
  };
  return embed;
};
