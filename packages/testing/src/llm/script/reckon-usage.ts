import type { LlmRequest } from './llm-request.js';
import type { ScriptedToolCall, Turn } from './turn.js';

/** Four characters to a token: near enough for limits, and the same everywhere. */
const CHARACTERS_PER_TOKEN = 4;

export const countTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

export const argumentText = (call: ScriptedToolCall): string =>
  typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);

export interface Reckoned {
  readonly input: number;
  readonly output: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

/** What the turn costs; undefined when the provider does not say. */
export const reckonUsage = (turn: Turn, request: LlmRequest): Reckoned | undefined => {
  if (turn.usage === null) return undefined;
  const reasoning = turn.usage?.reasoning ?? countTokens(turn.thinking ?? '');
  const calls = (turn.toolCalls ?? []).map(argumentText).join('');
  return {
    input: turn.usage?.input ?? request.inputTokens,
    output: turn.usage?.output ?? reasoning + countTokens(turn.text ?? '') + countTokens(calls),
    cachedInput: turn.usage?.cachedInput ?? 0,
    cacheWrite: turn.usage?.cacheWrite ?? 0,
    reasoning,
  };
};

/** The turn as far as the limit of the request lets it come, and whether that cut it. */
export const withinLimit = (
  turn: Turn,
  maxTokens: number | undefined,
): { readonly turn: Turn; readonly cut: boolean } => {
  const text = turn.text ?? '';
  if (maxTokens === undefined || countTokens(text) <= maxTokens) return { turn, cut: false };
  return { turn: { ...turn, text: text.slice(0, maxTokens * CHARACTERS_PER_TOKEN), toolCalls: [] }, cut: true };
};
