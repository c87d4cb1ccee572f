import {
  anyObject,
  anything,
  flag,
  listOf,
  mapOf,
  named,
  object,
  oneOf,
  since,
  text,
  whole,
  type Shape,
  type Shapes,
} from './shape.js';

const capabilities = (revision: string): Shape => {
  const changing = object({}, { listChanged: flag });
  return object(
    {},
    {
      experimental: mapOf(anyObject),
      logging: anyObject,
      prompts: changing,
      resources: object({}, { listChanged: flag, subscribe: flag }),
      tools: changing,
      ...since(revision, '2025-03-26', { completions: anyObject }),
      ...since(revision, '2026-07-28', { extensions: mapOf(anyObject) }),
    },
  );
};

/** What every result of a revision has, and what those have that may be kept. */
const commonTo = (revision: string) => {
  const modern = revision >= '2026-07-28';
  const identified = object({}, { 'io.modelcontextprotocol/serverInfo': named('Implementation') });
  const kind: Shapes = modern ? { resultType: text } : {};
  const hints: Shapes = { ttlMs: { ...whole, minimum: 0 }, cacheScope: oneOf('public', 'private') };
  return {
    meta: { _meta: modern ? identified : anyObject },
    plain: kind,
    kept: modern ? { ...kind, ...hints } : kind,
  };
};

const toolResult = (revision: string): Shapes => {
  if (revision < '2025-06-18') return { isError: flag };
  return { isError: flag, structuredContent: revision >= '2026-07-28' ? anything : anyObject };
};

/** Results by the names that the specification gives them. */
export const results = (revision: string): Shapes => {
  const { meta, plain, kept } = commonTo(revision);
  const paged = { nextCursor: text, ...meta };
  const most = revision >= '2026-07-28' ? { maxItems: 100 } : {};
  const completion = object({ values: { ...listOf(text), ...most } }, { total: whole, hasMore: flag });
  const legacy: Shapes = {
    InitializeResult: object(
      { protocolVersion: text, capabilities: capabilities(revision), serverInfo: named('Implementation') },
      { instructions: text, ...meta },
    ),
  };
  const modern: Shapes = {
    DiscoverResult: object(
      { supportedVersions: listOf(text), capabilities: capabilities(revision), ...kept },
      { instructions: text, ...meta },
    ),
    InputRequiredResult: object(plain, { inputRequests: mapOf(named('InputRequest')), requestState: text, ...meta }),
    SubscriptionsListenResult: object({
      _meta: object({ 'io.modelcontextprotocol/subscriptionId': named('RequestId') }),
      ...plain,
    }),
  };
  return {
    ...(revision >= '2026-07-28' ? modern : legacy),
    EmptyResult: object(plain, meta),
    ListToolsResult: object({ tools: listOf(named('Tool')), ...kept }, paged),
    CallToolResult: object({ content: listOf(named('ContentBlock')), ...plain }, { ...toolResult(revision), ...meta }),
    ListResourcesResult: object({ resources: listOf(named('Resource')), ...kept }, paged),
    ListResourceTemplatesResult: object({ resourceTemplates: listOf(named('ResourceTemplate')), ...kept }, paged),
    ReadResourceResult: object({ contents: listOf(named('ResourceContents')), ...kept }, meta),
    ListPromptsResult: object({ prompts: listOf(named('Prompt')), ...kept }, paged),
    GetPromptResult: object({ messages: listOf(named('PromptMessage')), ...plain }, { description: text, ...meta }),
    CompleteResult: object({ completion, ...plain }, meta),
  };
};
