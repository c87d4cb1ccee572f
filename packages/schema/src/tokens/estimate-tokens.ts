import type { ToolDefinition } from '@plugboard/contract';

/** Words, numbers, runs of space or of punctuation, and other characters one by one: roughly where tokenizers cut. */
const PIECES = /[\p{Script=Latin}]+|\p{N}{1,3}|\s+|[!-/:-@[-`{-~]+|[^]/gu;

const WHOLE_WORD = 11;
const LETTERS_PER_TOKEN = 7;
const MARKS_PER_TOKEN = 4;
const OTHER_SCRIPT = 0.75;

const costOf = (piece: string): number => {
  // a single space belongs to the word after it
  if (/^\s/u.test(piece)) return piece.length > 1 ? 1 : 0;
  if (/^\p{Script=Latin}/u.test(piece)) {
    return piece.length <= WHOLE_WORD ? 1 : Math.ceil(piece.length / LETTERS_PER_TOKEN);
  }
  if (/^\p{N}/u.test(piece)) return 1;
  return (piece.codePointAt(0) ?? 0) < 0x80 ? Math.ceil(piece.length / MARKS_PER_TOKEN) : OTHER_SCRIPT;
};

/**
 * About how many tokens a text takes, without any tokenizer. Measured once on 1,693 tools of the corpus against
 * o200k_base (gpt-tokenizer 3): half of the tools within 3 %, 95 % within 9 %, the worst 19 % off; whole servers within 8 %.
 */
export const estimateTokens = (text: string): number => {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += costOf(piece);
  return Math.ceil(tokens);
};

/** What a provider puts into the prompt for a tool: its name, its description and its input schema. */
const promptText = ({ name, description, inputSchema }: ToolDefinition): string =>
  JSON.stringify({ name, ...(typeof description === 'string' ? { description } : {}), parameters: inputSchema ?? {} });

export const estimateToolTokens = (tool: ToolDefinition): number => {
  try {
    return estimateTokens(promptText(tool));
  } catch {
    // what cannot be written as JSON is sent nowhere
    return 0;
  }
};

/** About how many tokens all tools of a server take in every request. */
export const estimateServerTokens = (tools: readonly ToolDefinition[]): number =>
  tools.reduce((sum, tool) => sum + estimateToolTokens(tool), 0);
