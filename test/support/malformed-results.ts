/** Results that servers really send and that no official client accepts as they are, each with what is wrong with it. */
type Malformed = readonly (readonly [what: string, result: unknown])[];

export const TOOL_RESULTS: Malformed = [
  ['no content', {}],
  ['content that is null', { content: null }],
  ['content that is text', { content: 'plain' }],
  ['content that is one block', { content: { type: 'text', text: 'plain' } }],
  ['a bare text among the blocks', { content: ['plain', { type: 'text', text: 'a' }] }],
  ['a block without a type', { content: [{ text: 'plain' }] }],
  ['text that is a number', { content: [{ type: 'text', text: 7 }] }],
  ['an image without data', { content: [{ type: 'image', mimeType: 'image/png' }] }],
  ['an image that is not Base64', { content: [{ type: 'image', data: '%%%', mimeType: 'image/png' }] }],
  ['an image without a type', { content: [{ type: 'image', data: 'aGk=' }] }],
  ['a link without a name', { content: [{ type: 'resource_link', uri: 'a://b' }] }],
  ['a resource without an address', { content: [{ type: 'resource', resource: { text: 'x' } }] }],
  ['annotations that are null', { content: [{ type: 'text', text: 'a', annotations: null }] }],
  ['a priority of seven', { content: [{ type: 'text', text: 'a', annotations: { priority: 7 } }] }],
  ['"isError" as text', { content: [], isError: 'no' }],
  ['"_meta" that is a list', { content: [], _meta: [] }],
  ['structured content that is a list', { content: [], structuredContent: [1, 2] }],
  ['a list instead of an object', ['plain']],
  ['a text instead of an object', 'plain'],
];

export const READ_RESULTS: Malformed = [
  ['no contents', {}],
  ['one content instead of a list', { contents: { uri: 'odd://1', text: 'x' } }],
  ['a content without an address', { contents: [{ text: 'x' }] }],
  ['a content without a body', { contents: [{ uri: 'odd://1' }] }],
  ['text that is an object', { contents: [{ uri: 'odd://1', text: { a: 1 } }] }],
  ['a type that is null', { contents: [{ uri: 'odd://1', text: 'x', mimeType: null }] }],
  ['a blob that is not Base64', { contents: [{ uri: 'odd://1', blob: '%%%' }] }],
  ['a list instead of an object', ['x']],
];

export const PROMPT_RESULTS: Malformed = [
  ['no messages', {}],
  ['a message of the system', { messages: [{ role: 'system', content: { type: 'text', text: 'x' } }] }],
  ['content that is text', { messages: [{ role: 'user', content: 'x' }] }],
  ['content that is a list', { messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, 'y'] }] }],
  ['a description that is null', { description: null, messages: [] }],
  ['nothing but a text', 'x'],
];
