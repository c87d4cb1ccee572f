import { describe, expect, it } from 'vitest';
import { checkAgainstProfile, isAccepted } from '../profile/check-against-profile.js';
import { PROFILE_IDS, PROFILES, type ProfileId } from '../profile/registry.js';
import { adaptList } from './adapt-list.js';
import { adaptTool, planAdaptation, toProviderVerdict } from './adapt-tool.js';
import { adaptArguments, restoreArguments } from './restore-plan.js';

type Schema = Record<string, unknown>;

const tool = (inputSchema: unknown, more: object = {}) => ({
  name: 'find',
  title: 'Find',
  description: 'Finds things.',
  annotations: { readOnlyHint: true },
  inputSchema,
  ...more,
});

const object = (properties: Schema, more: Schema = {}): Schema => ({ type: 'object', properties, ...more });

/** Adapts, and insists that the profile takes the result and that the arguments come through. */
const cure = (subject: ReturnType<typeof tool>, id: ProfileId, args: Schema = {}) => {
  const adaptation = adaptTool(subject, id);
  expect(adaptation.verdict).toBe('rewritten');
  expect(isAccepted(checkAgainstProfile(adaptation.definition, PROFILES[id]))).toBe(true);
  const restored = adaptation.restore(adaptArguments(adaptation.plan, args));
  expect({ ok: restored.ok, args: restored.ok ? restored.args : restored.problems }).toEqual({ ok: true, args });
  return { ...adaptation, schema: adaptation.definition.inputSchema as Schema };
};

const refuses = (subject: ReturnType<typeof tool>, id: ProfileId) =>
  expect(isAccepted(checkAgainstProfile(subject, PROFILES[id]))).toBe(false);

describe('known provider killers', () => {
  it('root anyOf', () => {
    const subject = tool({
      anyOf: [
        object({ id: { type: 'string' } }, { required: ['id'] }),
        object({ name: { type: 'string' } }, { required: ['name'] }),
      ],
    });
    for (const id of [
      'openai',
      'openai-strict',
      'anthropic',
      'anthropic-strict',
      'gemini',
      'azure',
      'claude-code',
    ] as const) {
      refuses(subject, id);
      const { schema, lossless } = cure(subject, id, { name: 'x' });
      expect(Object.keys(schema['properties'] as Schema)).toEqual(['input']);
      expect(lossless).toBe(true);
    }
  });

  it('root anyOf that only demands members', () => {
    const subject = tool(
      object(
        { id: { type: 'string' }, name: { type: 'string' } },
        { anyOf: [{ required: ['id'] }, { required: ['name'] }] },
      ),
    );
    const { schema, lossless, restore } = cure(subject, 'anthropic', { id: 'x' });
    expect(Object.keys(schema['properties'] as Schema)).toEqual(['id', 'name']);
    expect(schema['description']).toBe('At least one of these must be given: id; name.');
    expect(lossless).toBe(false);
    expect(restore({}).ok).toBe(false);
  });

  it('missing properties', () => {
    refuses(tool({ type: 'object' }), 'openai');
    expect(cure(tool({ type: 'object' }), 'openai').schema).toEqual({ type: 'object', properties: {} });
    expect(cure(tool({}), 'anthropic').schema).toEqual({ type: 'object' });
    for (const id of PROFILE_IDS) expect(adaptTool(tool(undefined), id).verdict).toBe('rewritten');
  });

  it('$schema', () => {
    const subject = tool(
      object({ a: { type: 'string' } }, { $schema: 'http://json-schema.org/draft-07/schema#', required: ['a'] }),
    );
    refuses(subject, 'gemini');
    const { schema, lossless } = cure(subject, 'gemini', { a: 'x' });
    expect(schema).toEqual(object({ a: { type: 'string' } }, { required: ['a'] }));
    expect(lossless).toBe(true);
    expect(cure(subject, 'openai-strict', { a: 'x' }).schema).not.toHaveProperty('$schema');
  });

  it('format: uri', () => {
    const subject = tool(
      object({ url: { type: 'string', format: 'uri', description: 'Where.' } }, { required: ['url'] }),
    );
    refuses(subject, 'openai-strict');
    const { schema, lossless, restore } = cure(subject, 'openai-strict', { url: 'https://example.com' });
    expect(schema['properties']).toEqual({ url: { type: 'string', description: 'Where. Format: uri.' } });
    expect(lossless).toBe(false);
    expect(restore({ url: 'no address' })).toMatchObject({ ok: false, problems: [{ keyword: 'format' }] });
  });

  it('property keys with $ or spaces', () => {
    const subject = tool(
      object({ $filter: { type: 'string' }, 'page size': { type: 'integer' }, page_size: { type: 'integer' } }),
    );
    refuses(subject, 'anthropic');
    refuses(subject, 'gemini');
    const { schema, lossless } = cure(subject, 'anthropic', { $filter: 'a', 'page size': 1, page_size: 2 });
    expect(Object.keys(schema['properties'] as Schema)).toEqual(['_filter', 'page_size_2', 'page_size']);
    expect(lossless).toBe(true);
    cure(subject, 'gemini', { 'page size': 1 });
  });

  it.each(['files.read', 'x'.repeat(70)])('a name with dots or 70 characters: %s', (name) => {
    const subject = tool(object({}), { name });
    refuses(subject, 'openai');
    const { definition, plan, lossless } = cure(subject, 'openai');
    expect(definition.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/u);
    expect(plan).toMatchObject({ tool: name, adaptedName: definition.name });
    expect(lossless).toBe(true);
  });

  it('a name that starts with a digit', () => {
    expect(cure(tool(object({ a: { type: 'string' } }), { name: '21st_magic' }), 'gemini').definition.name).toBe(
      '_21st_magic',
    );
  });

  it('a name that is too long with its server', () => {
    const subject = tool(object({}), { name: 'create_the_longest_name_that_a_server_would_offer' });
    const { definition } = adaptTool(subject, 'cursor', { server: 'a-server-with-a-name' });
    expect(definition.name.length + 'a-server-with-a-name'.length).toBeLessThanOrEqual(59);
  });

  it('an empty description', () => {
    const subject = tool(object({}), { description: '' });
    refuses(subject, 'bedrock');
    expect(cure(subject, 'bedrock').definition).not.toHaveProperty('description');
  });

  it('a description of 3,000 characters', () => {
    const sentence = 'This is one of many sentences. ';
    const subject = tool(object({}), { description: sentence.repeat(100) });
    refuses(subject, 'azure');
    const { definition, lossless } = cure(subject, 'azure');
    expect(String(definition.description).length).toBeLessThanOrEqual(1024);
    expect(definition.description).toMatch(/sentences\.$/u);
    expect(lossless).toBe(false);
    const wordless = cure(tool(object({}), { description: 'x'.repeat(2000) }), 'azure').definition.description;
    expect(wordless).toMatch(/^x{1023}…$/u);
  });

  it('129 tools', () => {
    const tools = Array.from({ length: 129 }, (_, i) => tool(object({}), { name: `find_${i}` }));
    expect(adaptList(tools.slice(1), 'openai').verdict).toBe('ok');
    const { verdict, findings } = adaptList(tools, 'openai');
    expect(verdict).toBe('rejected');
    expect(findings).toEqual([
      expect.objectContaining({ rule: 'OAI-02', message: expect.stringContaining('129 tools') }),
    ]);
    expect(adaptList(tools, 'gemini').verdict).toBe('ok');
  });

  it('type: [string, null] for Gemini', () => {
    const subject = tool(
      object({ a: { type: ['string', 'null'] }, b: { type: ['string', 'number', 'null'] } }, { required: ['a'] }),
    );
    refuses(subject, 'gemini');
    const { schema, lossless } = cure(subject, 'gemini', { a: null, b: 5 });
    expect(schema['properties']).toEqual({
      a: { type: 'string', nullable: true },
      b: { anyOf: [{ type: 'string' }, { type: 'number' }], nullable: true },
    });
    expect(lossless).toBe(true);
  });

  it('arrays without items', () => {
    const subject = tool(object({ list: { type: 'array' } }, { required: ['list'] }));
    for (const id of ['openai', 'vscode', 'gemini', 'openai-strict'] as const) {
      refuses(subject, id);
      expect(cure(subject, id, { list: ['a', 1, { b: true }] }).reasons).toEqual([]);
    }
  });

  it('recursive refs for strict mode', () => {
    const node = object(
      { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
      { required: ['name'] },
    );
    const subject = tool(object({ root: { $ref: '#/$defs/node' } }, { required: ['root'], $defs: { node } }));
    const leaf = (name: string, ...children: Schema[]): Schema => ({
      name,
      ...(children.length > 0 ? { children } : {}),
    });
    const args = { root: leaf('a', leaf('b', leaf('c', leaf('d', leaf('e'))))) };
    for (const id of ['anthropic-strict', 'openai-strict', 'gemini'] as const) {
      refuses(subject, id);
      expect(cure(subject, id, args).lossless).toBe(false);
    }
  });

  it('a long chain of references', () => {
    const defs = Array.from(
      { length: 900 },
      (_, i) => [`d${i}`, object({ next: { $ref: `#/$defs/d${(i + 1) % 900}` } })] as const,
    );
    const subject = tool(object({ start: { $ref: '#/$defs/d0' } }, { $defs: Object.fromEntries(defs) }));
    const args = { start: { next: { next: { next: {} } } } };
    for (const id of PROFILE_IDS) {
      const { verdict, restore, plan } = adaptTool(subject, id);
      expect(verdict).not.toBe('rejected');
      expect(restore(adaptArguments(plan, args))).toMatchObject({ ok: true, args });
    }
  });

  it('recursion that a strict profile takes is left alone', () => {
    const closed = { additionalProperties: false };
    const subject = tool(
      object({ next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }, { required: ['next'], ...closed }),
    );
    expect(adaptTool(subject, 'openai-strict').verdict).toBe('ok');
  });

  it('enums of numbers, constants and empty strings for Gemini', () => {
    const subject = tool(
      object({ n: { enum: [1, 2, '1', null] }, c: { const: true }, s: { type: 'string', enum: ['', 'a'] } }),
    );
    const { lossless } = cure(subject, 'gemini', { n: 1, c: true, s: '' });
    expect(lossless).toBe(true);
    cure(subject, 'gemini', { n: '1' });
    cure(subject, 'gemini', { n: null });
  });

  it('maps and free-form objects for strict mode', () => {
    const subject = tool(
      object({
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        anything: { type: 'object' },
        open: object({ a: { type: 'string' } }, { additionalProperties: { type: 'integer' } }),
      }),
    );
    const args = { labels: { x: 'y', '': 'z' }, anything: { deep: [1, { b: null }] }, open: { a: 'b', more: 3 } };
    for (const id of ['openai-strict', 'anthropic-strict', 'gemini'] as const) {
      expect(cure(subject, id, args).lossless).toBe(false);
    }
  });

  it('more than ten levels of nesting', () => {
    const deep = Array.from({ length: 14 }).reduce<Schema>(
      (inner) => object({ a: inner }, { required: ['a'], additionalProperties: false }),
      { type: 'string' },
    );
    const value = Array.from({ length: 14 }).reduce<unknown>((inner) => ({ a: inner }), 'x');
    refuses(tool(deep), 'openai-strict');
    expect(cure(tool(deep), 'openai-strict', value as Schema).changes).toContainEqual(
      expect.objectContaining({ rule: 'deep-to-text', effect: 'encoded' }),
    );
  });

  it('enums beyond the totals', () => {
    const values = Array.from({ length: 1200 }, (_, i) => `value-${i}`);
    const subject = tool(
      object({ e: { type: 'string', enum: values }, f: { type: 'string', enum: ['a'] } }, { required: ['e', 'f'] }),
    );
    refuses(subject, 'openai-strict');
    const { schema, restore } = cure(subject, 'openai-strict', { e: 'value-7', f: 'a' });
    expect((schema['properties'] as Record<string, Schema>)['e']).not.toHaveProperty('enum');
    expect((schema['properties'] as Record<string, Schema>)['f']).toHaveProperty('enum');
    expect(restore({ e: 'none', f: 'a' }).ok).toBe(false);
  });

  it('what cannot be merged is taken as text', () => {
    const subject = tool({
      allOf: [object({ a: { type: 'string', pattern: '^a' } }), object({ a: { type: 'string', pattern: 'z$' } })],
    });
    const { schema, plan } = cure(subject, 'openai-strict', { a: 'a to z' });
    expect(Object.keys(schema['properties'] as Schema)).toEqual(['arguments']);
    expect(restoreArguments(plan, { arguments: '{"a":"b"}' }).ok).toBe(false);
  });

  it('anyOf beside oneOf', () => {
    const subject = tool(
      object(
        { v: { anyOf: [{ type: 'string' }, { type: 'number' }], oneOf: [{ minLength: 2 }, { type: 'number' }] } },
        { required: ['v'] },
      ),
    );
    const { schema, restore } = cure(subject, 'openai-strict', { v: 'ab' });
    expect(JSON.stringify(schema)).toContain('exactly one of');
    expect(restore({ v: 5 }).ok).toBe(false);
  });

  it('required members that are not declared', () => {
    const subject = tool(object({}, { required: ['token'], additionalProperties: { type: 'string' } }));
    refuses(subject, 'gemini');
    const { schema } = cure(subject, 'gemini', { token: 'x', other: 'y' });
    expect(Object.keys(schema['properties'] as Schema)).toEqual(['token', 'additional_properties']);
    expect(cure(tool(object({}, { required: ['token'] })), 'openai-strict', { token: [1] }).lossless).toBe(false);
  });

  it('a root that may be null as well', () => {
    const subject = tool({ type: ['object', 'null'], properties: { a: { type: 'string' } } });
    for (const id of ['openai', 'gemini', 'anthropic-strict'] as const) {
      expect(cure(subject, id, { a: 'x' }).schema['type']).toBe('object');
    }
  });

  it('false as a schema', () => {
    const subject = tool(object({ gone: false, list: { type: 'array', items: false }, a: { type: 'string' } }));
    const { schema } = cure(subject, 'openai-strict', { a: 'x', list: [] });
    expect(Object.keys(schema['properties'] as Schema)).toEqual(['list', 'a']);
  });

  it('malformed keywords', () => {
    const subject = tool(
      object({ a: { type: 'any', required: true }, t: { type: 'array', items: [{ type: 'string' }] } }),
    );
    refuses(subject, 'anthropic');
    expect(cure(subject, 'anthropic', { t: ['x'] }).lossless).toBe(false);
  });

  it('constraints that a strict profile does not know are enforced on the way back', () => {
    const subject = tool(
      object({
        n: { type: 'integer', exclusiveMinimum: 0, maximum: 9 },
        l: { type: 'array', items: { type: 'string' }, minItems: 2 },
      }),
    );
    const { schema, restore } = cure(subject, 'anthropic-strict', { n: 3, l: ['a', 'b'] });
    expect(JSON.stringify(schema)).toContain('Greater than: 0.');
    expect(restore({ n: 0 }).ok).toBe(false);
    expect(restore({ l: ['a'] }).ok).toBe(false);
    expect(cure(subject, 'gemini', { n: 3 }).schema['properties']).toMatchObject({ n: { minimum: 1, maximum: 9 } });
  });
});

describe('what cannot be adapted', () => {
  it.each([
    ['a root that is no object', { type: 'string' }],
    ['alternatives without an object', { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['a reference that leads nowhere', object({ a: { $ref: '#/$defs/none' } })],
    ['no schema at all', 'schema'],
  ])('%s is rejected with a reason', (_name, schema) => {
    const adaptation = adaptTool(tool(schema), 'openai-strict');
    expect(adaptation.verdict).toBe('rejected');
    expect(adaptation.definition.inputSchema).toBe(schema);
    expect(toProviderVerdict(adaptation)).toEqual({
      verdict: 'rejected',
      reasons: [expect.objectContaining({ pointer: expect.any(String) })],
    });
  });

  it('a schema that contains itself is rejected', () => {
    const self: Schema = { type: 'object' };
    self['properties'] = { self };
    expect(adaptTool(tool(self), 'gemini').verdict).toBe('rejected');
  });

  it('hints cannot be made up', () => {
    const verdict = toProviderVerdict(adaptTool(tool(object({}), { annotations: undefined }), 'claude-connectors'));
    expect(verdict).toMatchObject({ verdict: 'rejected', reasons: [{ rule: 'ANT-05' }] });
    expect(
      adaptTool(tool(object({}), { title: undefined, name: 'findAll_things' }), 'claude-connectors').definition.title,
    ).toBe('Find all things');
  });
});

describe('restoreArguments', () => {
  it('works on a plan that was stored as JSON', () => {
    const { definition, plan } = planAdaptation(
      tool(object({ $q: { type: 'string' }, n: { type: 'integer' } })),
      'openai-strict',
    );
    expect(definition.inputSchema).toMatchObject({ required: ['$q', 'n'] });
    const stored = JSON.parse(JSON.stringify(plan)) as typeof plan;
    expect(restoreArguments(stored, { $q: 'x', n: null })).toEqual({ ok: true, args: { $q: 'x' } });
    expect(restoreArguments(stored, undefined)).toEqual({ ok: true, args: {} });
    expect(restoreArguments(stored, 'text')).toMatchObject({ ok: false });
    expect(restoreArguments(stored, { n: 'many' })).toMatchObject({ ok: false, problems: [{ pointer: '/n' }] });
  });

  it('says what was not checked', () => {
    const { restore } = adaptTool(tool(object({ a: { type: 'whatever' } })), 'openai');
    expect(restore({ a: 1 })).toMatchObject({ ok: true, unchecked: expect.any(String) });
  });

  it('understands a model that sends the value itself where text was asked for', () => {
    const { restore } = adaptTool(tool(object({ any: { type: 'object' } }, { required: ['any'] })), 'openai-strict');
    expect(restore({ any: { a: 1 } })).toEqual({ ok: true, args: { any: { a: 1 } } });
    expect(restore({ any: '{"a":1}' })).toEqual({ ok: true, args: { any: { a: 1 } } });
    expect(restore({ any: 'words' }).ok).toBe(false);
  });
});

describe('adaptList', () => {
  it('prefixes names and keeps them apart and short', () => {
    const tools = [
      tool(object({}), { name: 'a.b' }),
      tool(object({}), { name: 'a_b' }),
      tool(object({}), { name: 'x'.repeat(80) }),
    ];
    const { verdict, byName, tools: adapted } = adaptList(tools, 'openai', { prefix: 'My server' });
    expect(verdict).toBe('rewritten');
    expect(byName.size).toBe(3);
    for (const name of byName.keys()) expect(name).toMatch(/^My_server__[a-zA-Z0-9_-]+$/u);
    expect(byName.get(adapted[2]?.definition.name ?? '')?.plan.tool).toBe('x'.repeat(80));
  });

  it('resolves names that collide only once they are legal', () => {
    const tools = [tool(object({}), { name: 'a.b' }), tool(object({}), { name: 'a_b' })];
    const { byName, findings } = adaptList(tools, 'openai');
    expect(byName.size).toBe(2);
    expect(byName.has('a_b')).toBe(true);
    expect(findings).toEqual([]);
  });

  it('takes a prefix per tool, and equal names from two servers', () => {
    const tools = [tool(object({})), tool(object({}))];
    const perServer = adaptList(tools, 'openai', { prefix: (_tool, index) => ['one', 'two'][index] });
    expect([...perServer.byName.keys()]).toEqual(['one__find', 'two__find']);
    expect(adaptList(tools, 'openai').byName.size).toBe(2);
  });

  it('is rejected when one tool is, because the provider refuses the whole request', () => {
    const { verdict, tools, byName } = adaptList([tool(object({})), tool('none', { name: 'bad' })], 'openai');
    expect(verdict).toBe('rejected');
    expect(tools.map((entry) => entry.verdict)).toEqual(['ok', 'rejected']);
    expect([...byName.keys()]).toEqual(['find']);
  });
});
