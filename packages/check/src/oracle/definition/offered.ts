import {
  anyObject,
  anyOf,
  flag,
  listOf,
  mapOf,
  named,
  number,
  object,
  oneOf,
  only,
  since,
  text,
  uri,
  whole,
  type Shapes,
  anything,
  type Shape,
} from './shape.js';

const noted = (revision: string): Shapes => since(revision, '2025-06-18', { _meta: anyObject });
const titled = (revision: string): Shapes => ({
  ...noted(revision),
  ...since(revision, '2025-06-18', { title: text }),
  ...since(revision, '2025-11-25', { icons: listOf(named('Icon')) }),
});

const legacySchema = (revision: string) =>
  object(
    { type: only('object') },
    {
      properties: mapOf(anyObject),
      required: listOf(text),
      ...since(revision, '2025-11-25', { $schema: text }),
    },
  );

const toolSchemas = (revision: string): { readonly input: Shapes; readonly output: Shapes } => {
  if (revision < '2026-07-28') {
    const output = since(revision, '2025-06-18', { outputSchema: legacySchema(revision) });
    return { input: { inputSchema: legacySchema(revision) }, output };
  }
  return {
    input: { inputSchema: object({ type: only('object') }, { $schema: text }) },
    output: { outputSchema: object({}, { $schema: text }) },
  };
};

const base64: Shape = { type: 'string', format: 'byte' };

/** The blocks of which answers are made. */
export const content = (revision: string): Shapes => {
  const noted = since(revision, '2025-06-18', { _meta: anyObject });
  const common = { annotations: named('Annotations'), ...noted };
  const media = (type: string): Shape => object({ type: only(type), data: base64, mimeType: text }, common);
  const audio = revision >= '2025-03-26' ? [named('AudioContent')] : [];
  const link = revision >= '2025-06-18' ? [named('ResourceLink')] : [];
  const toolBlocks = revision >= '2025-11-25' ? [named('ToolUseContent'), named('ToolResultContent')] : [];
  const sampled = [named('TextContent'), named('ImageContent'), ...audio, ...toolBlocks];
  return {
    TextContent: object({ type: only('text'), text }, common),
    ImageContent: media('image'),
    AudioContent: media('audio'),
    ResourceLink: { allOf: [named('Resource'), object({ type: only('resource_link') })] },
    EmbeddedResource: object({ type: only('resource'), resource: named('ResourceContents') }, common),
    ContentBlock: anyOf(named('TextContent'), named('ImageContent'), ...audio, ...link, named('EmbeddedResource')),
    ToolUseContent: object({ type: only('tool_use'), id: text, name: text, input: anyObject }, { _meta: anyObject }),
    ToolResultContent: object(
      { type: only('tool_result'), toolUseId: text, content: listOf(named('ContentBlock')) },
      { _meta: anyObject, isError: flag, structuredContent: revision >= '2026-07-28' ? anything : anyObject },
    ),
    SamplingMessage: object({
      role: named('Role'),
      content: anyOf(...sampled, ...(toolBlocks.length > 0 ? [listOf(anyOf(...sampled))] : [])),
    }),
  };
};

/** What a server offers: tools, resources, prompts, and who it is. */
export const offered = (revision: string): Shapes => {
  const { input, output } = toolSchemas(revision);
  const annotated: Shapes = { annotations: named('Annotations') };
  return {
    Role: oneOf('user', 'assistant'),
    Icon: object({ src: uri }, { mimeType: text, sizes: listOf(text), theme: oneOf('light', 'dark') }),
    Annotations: object(
      {},
      {
        audience: listOf(named('Role')),
        priority: { ...number, minimum: 0, maximum: 1 },
        ...since(revision, '2025-06-18', { lastModified: text }),
      },
    ),
    Implementation: object(
      { name: text, version: text },
      {
        ...since(revision, '2025-06-18', { title: text }),
        ...since(revision, '2025-11-25', { icons: listOf(named('Icon')), description: text, websiteUrl: uri }),
      },
    ),
    ToolAnnotations: object(
      {},
      { title: text, readOnlyHint: flag, destructiveHint: flag, idempotentHint: flag, openWorldHint: flag },
    ),
    Tool: object(
      { name: text, ...input },
      {
        description: text,
        ...titled(revision),
        ...output,
        ...since(revision, '2025-03-26', { annotations: named('ToolAnnotations') }),
        ...(revision === '2025-11-25'
          ? { execution: object({}, { taskSupport: oneOf('forbidden', 'optional', 'required') }) }
          : {}),
      },
    ),
    Resource: object(
      { uri, name: text },
      { description: text, mimeType: text, size: whole, ...annotated, ...titled(revision) },
    ),
    ResourceTemplate: object(
      { uriTemplate: { type: 'string', format: 'uri-template' }, name: text },
      { description: text, mimeType: text, ...annotated, ...titled(revision) },
    ),
    Prompt: object(
      { name: text },
      { description: text, arguments: listOf(named('PromptArgument')), ...titled(revision) },
    ),
    PromptArgument: object(
      { name: text },
      { description: text, required: flag, ...since(revision, '2025-06-18', { title: text }) },
    ),
    PromptMessage: object({ role: named('Role'), content: named('ContentBlock') }),
    ResourceContents: anyOf(
      object({ uri, text }, { mimeType: text, ...noted(revision) }),
      object({ uri, blob: { type: 'string', format: 'byte' } }, { mimeType: text, ...noted(revision) }),
    ),
  };
};
