import { MODEL_ROWS, type ModelFamily } from './model-rows.js';

/** What a model can do that others of its provider cannot. */
export interface ModelFeatures {
  /** Thinks before it answers: fixed temperature, an effort instead of a budget (OpenAI). */
  readonly reasoning: boolean;
  /** Reads instructions as `developer` instead of `system` (OpenAI). */
  readonly developerRole: boolean;
  /** How it is told to think (Anthropic). */
  readonly thinking: 'none' | 'budget' | 'adaptive';
  /** Thinks without being told to: it rejects a temperature, forced tools and answers that were begun for it (Anthropic). */
  readonly alwaysThinks: boolean;
  /** Accepts an effort beside the thinking (Anthropic). */
  readonly effort: boolean;
  /** `schema`: the provider guarantees the schema. `tool`: a tool with the schema is forced instead. */
  readonly structuredOutput: 'schema' | 'tool';
  /** Accepts `prompt_cache_retention` (OpenAI). */
  readonly longCache: boolean;
  /** Can remove old tool results from the context (Anthropic). */
  readonly contextEditing: boolean;
}

const PLAIN: Readonly<Record<ModelFamily, ModelFeatures>> = {
  openai: {
    reasoning: false,
    developerRole: false,
    thinking: 'none',
    alwaysThinks: false,
    effort: false,
    structuredOutput: 'schema',
    longCache: false,
    contextEditing: false,
  },
  anthropic: {
    reasoning: false,
    developerRole: false,
    thinking: 'none',
    alwaysThinks: false,
    effort: false,
    structuredOutput: 'tool',
    longCache: false,
    contextEditing: false,
  },
};

/** Finds the features of a model. */
export type FeatureLookup = (model: string) => ModelFeatures;

/**
 * Later rows add to earlier ones, and what the user knows comes last. A model that no row names has the features of a
 * plain one.
 */
export const featuresOf =
  (family: ModelFamily, known: Partial<ModelFeatures> = {}): FeatureLookup =>
  (model) => ({
    ...MODEL_ROWS.filter((row) => row.family === family && row.model.test(model)).reduce(
      (features, row) => ({ ...features, ...row.features }),
      PLAIN[family],
    ),
    ...known,
  });
