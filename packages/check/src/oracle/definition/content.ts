import {
  anyObject,
  anything,
  anyOf,
  flag,
  listOf,
  named,
  object,
  only,
  since,
  text,
  type Shape,
  type Shapes,
} from './shape.js';

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
