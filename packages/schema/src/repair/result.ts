import { isJsonObject } from '@plugboard/base';
import { ownMember } from '../document/json-schema.js';
import { flag, integer, listOf, members, record, text, withMembers, type Repair } from './member/repair.js';
import { repairBlock, repairBlocks, repairContents } from './content.js';
import { repairList } from './listed-item.js';

type Result = Readonly<Record<string, unknown>>;

export interface ResultContext {
  readonly era: 'legacy' | 'modern';
  readonly method: string;
  readonly params: Result;
}

/** Clients of the legacy era look into these members of `_meta`. */
const LEGACY_META = members({
  progressToken: (value) => (typeof value === 'string' || Number.isSafeInteger(value) ? value : undefined),
  'io.modelcontextprotocol/related-task': (value) =>
    isJsonObject(value) && typeof value['taskId'] === 'string' ? value : undefined,
});

const structured = (result: Result): unknown =>
  isJsonObject(result['structuredContent']) ? JSON.stringify(result['structuredContent']) : undefined;

/** Some servers send what they found beside `content`, or instead of it. */
const withContent = (result: Result): Result => {
  const { content } = result;
  const blocks = content === undefined || content === null ? repairBlocks(structured(result)) : repairBlocks(content);
  return blocks === content ? result : { ...result, content: blocks };
};

/** In the legacy era structured content is an object. */
const legacyStructured: Repair = (value) => {
  if (value === null || value === undefined) return undefined;
  return isJsonObject(value) ? value : { result: value };
};

const errorFlag: Repair = (value) => flag(value) ?? Boolean(value);

const TOOL_RESULT = {
  legacy: { structuredContent: legacyStructured, isError: errorFlag },
  modern: { isError: errorFlag },
} as const;

const repairToolResult = (result: Result, { era }: ResultContext): Result =>
  withMembers(withContent(result), TOOL_RESULT[era]);

const repairReadResult = (result: Result, { params }: ResultContext): Result => {
  const { contents } = result;
  const uri = typeof params['uri'] === 'string' ? params['uri'] : '';
  const list = isJsonObject(contents) || typeof contents === 'string' ? [contents] : contents;
  const repaired = listOf((item) => repairContents(item, uri))(list) ?? [];
  return repaired === contents ? result : { ...result, contents: repaired };
};

/** A message has one block; several in one are several messages of the same role. */
const promptMessages = (message: unknown): readonly Result[] => {
  if (typeof message === 'string') return [{ role: 'user', content: repairBlock(message) }];
  if (!isJsonObject(message)) return [];
  const role = message['role'] === 'assistant' ? 'assistant' : 'user';
  const { content } = message;
  if (!Array.isArray(content)) {
    const block = repairBlock(content);
    if (block === undefined) return [];
    return block === content && role === message['role'] ? [message] : [{ ...message, role, content: block }];
  }
  return repairBlocks(content).map((block) => ({ ...message, role, content: block }));
};

const repairPromptResult = (result: Result): Result => {
  const { messages } = result;
  const given: readonly unknown[] = Array.isArray(messages) ? messages : [messages];
  const repaired = given.flatMap(promptMessages);
  const isSame =
    Array.isArray(messages) &&
    repaired.length === messages.length &&
    repaired.every((each, index) => each === messages[index]);
  return withMembers(isSame ? result : { ...result, messages: repaired }, { description: text });
};

const MAX_VALUES = 100;

const repairCompletion = (result: Result): Result => {
  const given = isJsonObject(result['completion']) ? result['completion'] : {};
  const values = (listOf(text)(given['values']) ?? []) as readonly unknown[];
  const few = values.length > MAX_VALUES ? values.slice(0, MAX_VALUES) : values;
  const completion = withMembers(few === given['values'] ? given : { ...given, values: few }, {
    total: integer,
    hasMore: flag,
  });
  return completion === result['completion'] ? result : { ...result, completion };
};

const repairBody = (result: Result, context: ResultContext): Result | undefined => {
  switch (context.method) {
    case 'tools/call':
    case 'tasks/result':
      return repairToolResult(result, context);
    case 'resources/read':
      return repairReadResult(result, context);
    case 'prompts/get':
      return repairPromptResult(result);
    case 'completion/complete':
      return repairCompletion(result);
    default:
      return repairList(context.method, result);
  }
};

/** Results that are not what was asked for, but a step on the way to it. */
const isInterim = (result: Result): boolean => {
  const type = ownMember(result, 'resultType');
  return (type !== undefined && type !== 'complete') || isJsonObject(result['task']);
};

const CACHEABLE: ReadonlySet<string> = new Set([
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

const withCacheHint = (result: Result): Result => {
  const { ttlMs, cacheScope } = result;
  const lasts = Number.isSafeInteger(ttlMs) && Number(ttlMs) >= 0;
  const scoped = cacheScope === 'public' || cacheScope === 'private';
  if (lasts && scoped) return result;
  return { ...result, ttlMs: lasts ? ttlMs : 0, cacheScope: scoped ? cacheScope : 'private' };
};

/** Something that is no object, as a result: a tool's may be what it found. */
const asResult = (given: unknown, { era, method }: ResultContext): Result => ({
  ...(era === 'modern' ? { resultType: 'complete' } : {}),
  ...(method === 'tools/call' ? { content: given } : {}),
});

/**
 * The result of a request in the form that official clients of the era accept; the very result when it has that form, or
 * when the method is not known here.
 */
export const repairResult = (given: unknown, context: ResultContext): unknown => {
  const result = isJsonObject(given) ? given : asResult(given, context);
  if (isInterim(result)) return given;
  const repaired = repairBody(result, context);
  if (repaired === undefined) return given;
  const whole = withMembers(repaired, { _meta: context.era === 'legacy' ? LEGACY_META : record });
  return context.era === 'modern' && CACHEABLE.has(context.method) ? withCacheHint(whole) : whole;
};
