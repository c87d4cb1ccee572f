import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { META_KEY } from '../revision/meta-key.js';
import { MemberCursor } from './member-cursor.js';
import { scanAnswer } from './scan-answer.js';
import { scanRequest, type RequestSpans } from './scan-request.js';
import { NOWHERE, skipSpace, skipValue } from './skip-json.js';
import { type Span, splice } from './span.js';

const DEPTH = 64;

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const isWholeValue = (text: string, depth = DEPTH): boolean => {
  const bytes = Buffer.from(text);
  const after = skipValue(bytes, skipSpace(bytes, 0), depth);
  return after !== NOWHERE && skipSpace(bytes, after) === bytes.length;
};

const textOf = (bytes: Buffer, span: Span | undefined): string | undefined =>
  span === undefined ? undefined : bytes.toString('utf8', span.start, span.end);

const valueOf = (bytes: Buffer, span: Span | undefined): unknown => {
  const text = textOf(bytes, span);
  return text === undefined ? undefined : JSON.parse(text);
};

/** JSON as people and programs write it: with room, escapes and all kinds of numbers. */
const space = fc.constantFrom('', '', ' ', '\n', '\t ', '\r\n');
const written = fc
  .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'))
  .map(([value, indent]) => JSON.stringify(value, undefined, indent));
/** Texts that are nearly JSON: one character changed, left out or doubled. */
const damaged = fc
  .tuple(
    written,
    fc.nat(),
    fc.constantFrom('', '{', '}', '[', ']', ',', ':', '"', '\\', '0', '-', '.', 'e', 'u', '\n', ' '),
  )
  .map(([text, at, put]) => {
    const index = at % (text.length + 1);
    return text.slice(0, index) + put + text.slice(index + 1);
  });

describe('skipValue', () => {
  it('takes what JSON.parse takes, and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(written, damaged, fc.string()), (text) => {
        expect(isWholeValue(text)).toBe(isJson(text));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    '-',
    '01',
    '1.',
    '.5',
    '1e',
    '1e+',
    '+1',
    'tru',
    '"\\x"',
    '"\\u12g4"',
    '"\t"',
    '[1,]',
    '{"a"}',
    '{a:1}',
    '"',
  ])('refuses %j', (text) => {
    expect(isWholeValue(text)).toBe(false);
  });

  it.each(['-0', '0.5e-10', '1E400', '12345678901234567890', '"\\u00e9\\/"', ' [ ] ', '{ }'])('takes %j', (text) => {
    expect(isWholeValue(text)).toBe(true);
  });

  it('counts levels', () => {
    expect(isWholeValue('[[1]]', 2)).toBe(true);
    expect(isWholeValue('[[{}]]', 2)).toBe(false);
    expect(isWholeValue('['.repeat(100_000))).toBe(false);
  });
});

describe('MemberCursor', () => {
  it('visits every member of an object, and only an object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/u), fc.jsonValue({ maxDepth: 3 })), (object) => {
        const bytes = Buffer.from(JSON.stringify(object));
        const cursor = new MemberCursor(bytes, 0, DEPTH);
        const found: unknown[] = [];
        while (cursor.next()) found.push(valueOf(bytes, { start: cursor.start, end: cursor.take() }));
        expect(cursor.after).toBe(bytes.length);
        expect(found).toEqual(Object.values(JSON.parse(bytes.toString()) as object));
      }),
    );
    const array = new MemberCursor(Buffer.from('[]'), 0, DEPTH);
    expect(array.next()).toBe(false);
    expect(array.after).toBe(NOWHERE);
  });
});

const plainText = fc.string({ unit: 'grapheme' });
const meta = fc.record(
  {
    progressToken: fc.oneof(fc.integer(), plainText),
    traceparent: plainText,
    tracestate: plainText,
    [META_KEY.protocolVersion]: plainText,
    [META_KEY.clientCapabilities]: fc.dictionary(plainText, fc.jsonValue({ maxDepth: 2 })),
    'com.example/other': fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: [] },
);
const params = fc.record(
  { name: plainText, arguments: fc.dictionary(plainText, fc.jsonValue({ maxDepth: 3 })), _meta: meta },
  { requiredKeys: ['name'] },
);
const requests = fc.record({
  jsonrpc: fc.constant('2.0'),
  id: fc.oneof(fc.integer(), plainText),
  method: fc.constant('tools/call'),
  params,
});
/** The same members in any order. */
const shuffled = requests.chain((request) =>
  fc.shuffledSubarray(Object.entries(request), { minLength: 4, maxLength: 4 }).map((entries) => ({
    request,
    members: entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`),
  })),
);

const META_SPANS: readonly (readonly [Exclude<keyof RequestSpans, 'method'>, string])[] = [
  ['progressToken', 'progressToken'],
  ['traceparent', 'traceparent'],
  ['tracestate', 'tracestate'],
  ['protocolVersion', META_KEY.protocolVersion],
  ['clientCapabilities', META_KEY.clientCapabilities],
];

describe('scanRequest', () => {
  it('finds what JSON.parse finds', () => {
    fc.assert(
      fc.property(shuffled, space, ({ request, members }, gap) => {
        const bytes = Buffer.from(`${gap}{${gap}${members.join(`${gap},${gap}`)}${gap}}${gap}`);
        const spans = scanRequest(bytes, DEPTH);
        // a key of `_meta` or of the arguments may have to be written with an escape; then it is left to others
        if (spans === undefined) {
          expect(bytes.includes('\\')).toBe(true);
          return;
        }
        const read = JSON.parse(bytes.toString()) as typeof request;
        expect(valueOf(bytes, spans.id)).toEqual(read.id);
        expect(valueOf(bytes, spans.params)).toEqual(read.params);
        expect(valueOf(bytes, spans.name)).toEqual(read.params.name);
        expect(valueOf(bytes, spans.arguments)).toEqual(read.params.arguments);
        expect(valueOf(bytes, spans.meta)).toEqual(read.params._meta);
        for (const [field, name] of META_SPANS) {
          expect(valueOf(bytes, spans[field])).toEqual(
            (read.params._meta as Record<string, unknown> | undefined)?.[name],
          );
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['prompts/get', { name: 'p', arguments: { a: '1' } }],
    ['resources/read', { uri: 'file:///a', _meta: { progressToken: 1 } }],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 'x' }, context: {} },
    ],
  ] as const)('finds the parts of %s', (method, given) => {
    for (const members of [
      { jsonrpc: '2.0', id: 1, method, params: given },
      { params: given, method, id: 1, jsonrpc: '2.0' },
    ]) {
      const bytes = Buffer.from(JSON.stringify(members));
      const spans = scanRequest(bytes, DEPTH);
      expect(spans?.method).toBe(method);
      for (const [name, value] of Object.entries(given)) {
        if (name !== '_meta') expect(valueOf(bytes, spans?.[name as 'uri'])).toEqual(value);
      }
    }
  });

  it.each([
    ['tools/call', { uri: 'a' }],
    ['tools/call', { name: 'a', ref: {} }],
    ['resources/read', { uri: 'a', name: 'b' }],
    ['prompts/get', { name: 'a', context: {} }],
    ['completion/complete', { ref: {}, argument: {}, arguments: {} }],
    ['ping', {}],
  ])('leaves %s with the parameters of another method to others', (method, given) => {
    for (const text of [
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: given }),
      JSON.stringify({ params: given, jsonrpc: '2.0', id: 1, method }),
    ]) {
      expect(scanRequest(Buffer.from(text), DEPTH)).toBeUndefined();
    }
  });

  it('lets pieces be replaced and the rest stay as it is', () => {
    fc.assert(
      fc.property(requests, fc.integer(), plainText, (request, id, name) => {
        const bytes = Buffer.from(JSON.stringify(request));
        const spans = scanRequest(bytes, DEPTH);
        if (spans?.id === undefined || spans.name === undefined) return;
        const edits = [
          { ...spans.id, text: JSON.stringify(id) },
          { ...spans.name, text: JSON.stringify(name) },
        ];
        const expected = JSON.parse(bytes.toString()) as typeof request;
        expect(JSON.parse(splice(bytes, edits).toString())).toEqual({
          ...expected,
          id,
          params: { ...expected.params, name },
        });
      }),
    );
  });

  it.each([
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}]'],
    ['another method', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}'],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{"name":"a"}}'],
    ['a notification', '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"a"}}'],
    ['no params', '{"jsonrpc":"2.0","id":1,"method":"tools/call"}'],
    ['a further member', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"},"x":1}'],
    ['a further parameter', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","task":{}}}'],
    ['two ids', '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call","params":{"name":"a"}}'],
    ['two versions', '{"jsonrpc":"2.0","jsonrpc":"2.0","id":2,"params":{"name":"a"}}'],
    ['two names', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}'],
    ['two params', '{"jsonrpc":"2.0","id":1,"params":{},"params":{"name":"a"},"method":"tools/call"}'],
    [
      'two tokens',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":1,"progressToken":2}}}',
    ],
    ['an escaped name', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"n\\u0061me":"a"}}'],
    ['metadata that is no object', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":[]}}'],
    ['something behind it', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}} 1'],
    ['an end too early', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}'],
    ['nothing', ''],
  ])('leaves %s to others', (_what, text) => {
    expect(scanRequest(Buffer.from(text), DEPTH)).toBeUndefined();
  });

  it('leaves bytes that are no UTF-8 to others', () => {
    const bytes = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\xff"}}', 'latin1');
    expect(scanRequest(bytes, DEPTH)).toBeUndefined();
  });
});

describe('scanAnswer', () => {
  const plainBlock = fc.oneof(
    fc.record({
      type: fc.constant('text'),
      text: fc.string({ unit: 'binary' }),
      vendor: fc.jsonValue({ maxDepth: 1 }),
    }),
    fc.record({
      data: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
      mimeType: fc.string(),
      type: fc.constantFrom('image', 'audio'),
    }),
  );

  it('finds what JSON.parse finds', () => {
    const results = fc.record(
      {
        content: fc.array(plainBlock),
        structuredContent: fc.jsonValue({ maxDepth: 2 }),
        _meta: fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/u), fc.jsonValue({ maxDepth: 2 })),
        isError: fc.boolean(),
        resultType: fc.constantFrom('complete', 'input_required'),
        task: fc.record({ taskId: plainText }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.integer(), plainText), results, (id, result) => {
        const bytes = Buffer.from(JSON.stringify({ result, jsonrpc: '2.0', id }));
        const spans = scanAnswer(bytes, DEPTH);
        expect(valueOf(bytes, spans?.id)).toEqual(id);
        expect(spans?.hasContent).toBe(result.content !== undefined);
        expect(JSON.stringify(valueOf(bytes, spans?.structuredContent))).toBe(JSON.stringify(result.structuredContent));
        expect(spans?.hasTask).toBe(result.task !== undefined);
        expect(valueOf(bytes, spans?.isError)).toEqual(result.isError);
        expect(valueOf(bytes, spans?.resultType)).toEqual(result.resultType);
      }),
    );
  });

  it.each([
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
    '{"jsonrpc":"2.0","id":1,"result":[]}',
    '{"jsonrpc":"2.0","id":1,"id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"result":{},"result":{}}',
    '{"jsonrpc":"2.0","id":1,"result":{"isError":true,"isError":false}}',
    '{"jsonrpc":"2.0","id":1,"result":{"resultType":"a","resultType":"b"}}',
    '{"jsonrpc":"2.0","id":1,"result":{"a":tru}}',
    '{"jsonrpc":"2.0","id":,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"result":{}}x',
    '{"jsonrpc":"2.0","result":{}}',
    ...[
      '{}',
      '"text"',
      'null',
      '[1]',
      '["a"]',
      '[null]',
      '[{}]',
      '[{"type":"text"}]',
      '[{"type":"text","text":1}]',
      '[{"text":"a"}]',
      '[{"type":7,"text":"a"}]',
      '[{"type":"text","text":"a","annotations":{}}]',
      '[{"type":"text","text":"a","_meta":[]}]',
      '[{"type":"hologram"}]',
      '[{"type":"resource_link","uri":"a"}]',
      '[{"type":"image","data":"aGk="}]',
      '[{"type":"image","mimeType":"a"}]',
      '[{"type":"image","data":"a-_=","mimeType":"a"}]',
      '[{"type":"image","data":"a","mimeType":"a"}]',
      '[{"type":"image","data":"====","mimeType":"a"}]',
      '[{"type":"text","text":"a"}{"type":"text","text":"a"}]',
      '[{"type":"text","text":"a"},]',
    ].map((content) => `{"jsonrpc":"2.0","id":1,"result":{"content":${content}}}`),
    '{"jsonrpc":"2.0","id":1,"result":{"content":[],"_meta":[]}}',
    '{"jsonrpc":"2.0","id":1,"result":{"content":[],"_meta":{"progressToken":1.5}}}',
    '[]',
  ])('leaves %j to others', (text) => {
    expect(scanAnswer(Buffer.from(text), DEPTH)).toBeUndefined();
  });
});

describe('the form of results', () => {
  const scan = (result: string) => scanAnswer(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{${result}}}`), DEPTH);

  it.each([
    ['hasContents', '"contents":[]'],
    ['hasContents', '"contents":[{"uri":"a","text":"b","mimeType":"c","size":1},{"blob":"aGk=","uri":"a"}]'],
    ['hasMessages', '"messages":[]'],
    ['hasMessages', '"messages":[{"role":"user","content":{"type":"text","text":"a"},"more":1}]'],
    ['hasMessages', '"messages":[{"content":{"type":"image","data":"aGk=","mimeType":"b"},"role":"assistant"}]'],
    ['hasCompletion', '"completion":{"values":[]}'],
    ['hasCompletion', '"completion":{"hasMore":true,"values":["a", "b"],"total":2,"more":{}}'],
  ] as const)('knows that clients accept %s as %s', (found, result) => {
    expect(scan(result)?.[found]).toBe(true);
  });

  it.each([
    ['hasContents', '"contents":{}'],
    ['hasContents', '"contents":["a"]'],
    ['hasContents', '"contents":[{"text":"a"}]'],
    ['hasContents', '"contents":[{"uri":"a"}]'],
    ['hasContents', '"contents":[{"uri":1,"text":"a"}]'],
    ['hasContents', '"contents":[{"uri":"a","text":1}]'],
    ['hasContents', '"contents":[{"uri":"a","text":null,"blob":"aGk="}]'],
    ['hasContents', '"contents":[{"uri":"a","blob":"a-_="}]'],
    ['hasContents', '"contents":[{"uri":"a","text":"b","blob":"aGk="}]'],
    ['hasContents', '"contents":[{"uri":"a","text":"b","mimeType":1}]'],
    ['hasContents', '"contents":[{"uri":"a","text":"b","_meta":[]}]'],
    ['hasMessages', '"messages":"a"'],
    ['hasMessages', '"messages":[{"role":"system","content":{"type":"text","text":"a"}}]'],
    ['hasMessages', '"messages":[{"content":{"type":"text","text":"a"}}]'],
    ['hasMessages', '"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}]'],
    ['hasMessages', '"messages":[{"role":"user"}]'],
    ['hasCompletion', '"completion":{}'],
    ['hasCompletion', '"completion":[]'],
    ['hasCompletion', '"completion":{"values":"a"}'],
    ['hasCompletion', '"completion":{"values":["a",1]}'],
    ['hasCompletion', '"completion":{"values":[],"total":1.5}'],
    ['hasCompletion', '"completion":{"values":[],"total":"1"}'],
    ['hasCompletion', '"completion":{"values":[],"hasMore":1}'],
    ['hasCompletion', `"completion":{"values":${JSON.stringify(Array.from({ length: 101 }, String))}}`],
  ] as const)('does not know that of %s as %s, and goes on', (found, result) => {
    expect(scan(`${result},"content":[]`)).toMatchObject({ [found]: false, hasContent: true });
  });

  it.each([
    '"contents":[],"contents":[]',
    '"contents":1,"contents":[]',
    '"ttlMs":1,"ttlMs":2',
    '"description":"a","description":1',
    '"messages":[{"role":]',
    '"completion":{"values":["a"}',
  ])('leaves %s to others', (result) => {
    expect(scan(result)).toBeUndefined();
  });

  it('finds the members that some methods have', () => {
    expect(scan('"description":"a","ttlMs":5,"cacheScope":"public"')).toMatchObject({
      description: { start: 48, end: 51 },
      ttlMs: { start: 60, end: 61 },
      cacheScope: { start: 75, end: 83 },
    });
  });
});

describe('splice', () => {
  const pieces = fc.array(
    fc.tuple(fc.string({ unit: 'binary', maxLength: 90 }), fc.string({ unit: 'binary', maxLength: 90 })),
  );

  it('replaces whatever pieces by whatever texts', () => {
    fc.assert(
      fc.property(pieces, fc.string({ unit: 'binary', maxLength: 200 }), (replaced, rest) => {
        let [before, after] = ['', ''];
        const edits = replaced.map(([kept, text], index) => {
          before += kept;
          const start = Buffer.byteLength(before);
          before += `<${index}>`;
          after += kept + text;
          return { start, end: Buffer.byteLength(before), text };
        });
        expect(splice(Buffer.from(before + rest), edits).toString()).toBe(Buffer.from(after + rest).toString());
      }),
    );
  });
});
