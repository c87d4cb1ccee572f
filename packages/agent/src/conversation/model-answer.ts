import type { AssistantPart } from './message.js';

/** Why the model stopped. `other`: the provider named a reason that is unknown here; `raw` has it. */
export type FinishKind =
  | 'stop'
  | 'length'
  | 'tool-calls'
  | 'refusal'
  | 'content-filter'
  | 'context-window'
  | 'pause'
  | 'other';

export interface Finish {
  readonly kind: FinishKind;
  /** The word of the provider. */
  readonly raw: string | null;
}

/** Tokens. Null: the provider did not report it; 0: it reported none. */
export interface Usage {
  /** Everything that was read, from the cache or not. */
  readonly input: number | null;
  readonly output: number | null;
  readonly total: number | null;
  readonly cachedInput: number | null;
  readonly cacheWrite: number | null;
  readonly reasoning: number | null;
}

export interface ModelAnswer {
  readonly id: string | null;
  /** The model that answered, as the provider names it. */
  readonly model: string;
  readonly content: readonly AssistantPart[];
  readonly finish: Finish;
  readonly usage: Usage;
}

export const NO_USAGE: Usage = {
  input: null,
  output: null,
  total: null,
  cachedInput: null,
  cacheWrite: null,
  reasoning: null,
};

/** The reason that a provider named, by its table of them. */
export const finishFrom = (kinds: Readonly<Record<string, FinishKind>>, raw: unknown): Finish =>
  typeof raw === 'string' ? { kind: kinds[raw] ?? 'other', raw } : { kind: 'other', raw: null };

const numberOr = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const sumOf = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

/** Reads counts that a provider may or may not have sent. Without a total, it is the sum of input and output. */
export const usageFrom = (counts: Readonly<Partial<Record<keyof Usage, unknown>>>): Usage => {
  const input = numberOr(counts.input);
  const output = numberOr(counts.output);
  return {
    input,
    output,
    total: numberOr(counts.total) ?? sumOf(input, output),
    cachedInput: numberOr(counts.cachedInput),
    cacheWrite: numberOr(counts.cacheWrite),
    reasoning: numberOr(counts.reasoning),
  };
};

const added = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b);

/** The usage of two requests together. What only one of them reported counts. */
export const addUsage = (a: Usage, b: Usage): Usage => ({
  input: added(a.input, b.input),
  output: added(a.output, b.output),
  total: added(a.total, b.total),
  cachedInput: added(a.cachedInput, b.cachedInput),
  cacheWrite: added(a.cacheWrite, b.cacheWrite),
  reasoning: added(a.reasoning, b.reasoning),
});
