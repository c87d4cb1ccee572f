import { tryJson } from '@plugboard/base';
import { PlugboardError, type ToolResult } from '@plugboard/contract';
import type { ActionOutcome } from './plugin-response.js';

/** Turns what a tool answered into the outcome of an action. */
export type ResultMapper = (result: ToolResult) => ActionOutcome;

const textOf = (result: ToolResult): string =>
  (result.content ?? [])
    .filter((block) => block.type === 'text' && typeof block['text'] === 'string')
    .map((block) => block['text'] as string)
    .join('\n');

/** Text that looks like JSON and is, as what it says; any other text as it is. */
export const parseText = (text: string): unknown => (/^\s*[[{]/u.test(text) ? (tryJson(text) ?? text) : text);

/** Structured content when there is any, else the text, else the content blocks themselves. */
const dataOf = (result: ToolResult): unknown => {
  if (result.structuredContent !== undefined) return result.structuredContent;
  const text = textOf(result);
  return text === '' ? (result.content ?? []) : parseText(text);
};

/** What the tool itself calls an error is one; everything else is a success. */
export const mapResult: ResultMapper = (result) => {
  if (result.isError !== true) return { status: 'success', data: dataOf(result) };
  const said = textOf(result);
  const message = said === '' ? 'The tool reported an error without a text.' : said;
  return { status: 'error', error: new PlugboardError('UPSTREAM_PROTOCOL', message) };
};
