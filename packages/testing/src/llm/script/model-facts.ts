/** A model that the double knows. Every other name is refused as the provider refuses it. */
export interface ModelFacts {
  /** Tokens of input that fit. */
  readonly contextTokens?: number;
  /** OpenAI: refuses `max_tokens` and every temperature but 1. */
  readonly reasoning?: boolean;
}

export type Models = Readonly<Record<string, ModelFacts>>;
