import { describe, expect, it } from 'vitest';
import { checkAgainstProfile, checkSchema, isAccepted } from './check-against-profile.js';
import { isSchemaRule } from './check-schema-rule.js';
import { isProfileId, PROFILE_IDS, PROFILES, type ProfileId } from './registry.js';

const schemaFindings = (id: ProfileId, schema: unknown) => checkSchema(schema, PROFILES[id]);
const rulesOf = (id: ProfileId, schema: unknown) => [...new Set(schemaFindings(id, schema).map(({ rule }) => rule))];
const tool = (name: string, more: object = {}) => ({
  name,
  description: 'Reads one file.',
  inputSchema: { type: 'object', properties: {} },
  ...more,
});

describe('the profiles', () => {
  it('are data with a dated source beside every rule', () => {
    for (const id of PROFILE_IDS) {
      const profile = PROFILES[id];
      expect(profile.id).toBe(id);
      for (const rule of profile.rules) {
        expect(rule.source).toMatch(/^https:\/\//u);
        expect(rule.recorded).toMatch(/^20\d\d-\d\d-\d\d$/u);
        expect(rule.id).toMatch(/^[A-Z]{3}-\d\d$/u);
      }
      expect(profile.rules.some(isSchemaRule)).toBe(true);
    }
    expect(isProfileId('gemini')).toBe(true);
    expect(isProfileId('toString')).toBe(false);
  });

  it.each(PROFILE_IDS)('%s takes a plain tool', (id) => {
    const plain = tool('read_file', {
      title: 'Read a file',
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string', description: 'Where it is.' } },
        required: ['path'],
        additionalProperties: false,
      },
    });
    // Gemini knows no additionalProperties
    const { additionalProperties: _, ...open } = plain.inputSchema as Record<string, unknown>;
    const offered = id === 'gemini' ? { ...plain, inputSchema: open } : plain;
    expect(checkAgainstProfile(offered, PROFILES[id])).toEqual([]);
  });
});

describe('checkSchema', () => {
  it.each([
    ['openai-strict', 'OAI-04', { anyOf: [{ type: 'object', properties: {} }] }],
    ['openai-strict', 'OAI-05', { type: 'object', properties: {} }],
    ['openai-strict', 'OAI-06', { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }],
    ['openai-strict', 'OAI-07', { type: 'object', properties: {}, additionalProperties: false, allOf: [{}] }],
    [
      'openai-strict',
      'OAI-08',
      { type: 'object', properties: { u: { type: 'string', format: 'uri' } }, required: ['u'] },
    ],
    ['openai-strict', 'OAI-08', { type: 'object', properties: { u: { type: 'string', pattern: '(?=a)b' } } }],
    [
      'openai-strict',
      'OAI-09',
      { type: 'object', properties: { e: { enum: Array.from({ length: 1001 }, (_, i) => i) } } },
    ],
    ['openai', 'OAI-10', { type: 'object' }],
    ['openai', 'OAI-11', { type: 'object', properties: { a: { type: 'array' } } }],
    ['openai', 'OAI-12', { type: 'object', properties: { a: { type: 'any' } } }],
    ['anthropic', 'ANT-02', { type: 'object', properties: { 'a b': { type: 'string' } } }],
    ['anthropic', 'ANT-02', { type: 'object', properties: { a: { type: 'object', properties: { $x: {} } } } }],
    ['anthropic', 'ANT-03', { type: 'object', oneOf: [{}] }],
    ['anthropic', 'ANT-07', { type: 'object', properties: { a: { type: 'array', items: [{}] } } }],
    ['anthropic-strict', 'ANT-04', { type: 'object', properties: { n: { type: 'number', minimum: 1 } } }],
    ['gemini', 'GEM-03', { $schema: 'x', type: 'object', properties: {} }],
    ['gemini', 'GEM-03', { type: 'object', properties: { a: { $ref: '#/properties/b' }, b: { type: 'string' } } }],
    ['gemini', 'GEM-04', { type: 'object', properties: { a: { type: ['string', 'null'] } } }],
    ['gemini', 'GEM-04', { type: 'object', properties: { a: { type: 'integer', enum: [1] } } }],
    ['gemini', 'GEM-04', { type: 'object', properties: { a: { type: 'object', anyOf: [{ type: 'string' }] } } }],
    ['gemini', 'GEM-06', { type: 'object', properties: { 'a-b': { type: 'string' } } }],
    ['gemini', 'GEM-09', { type: 'object', properties: { a: { type: 'object' } } }],
    ['gemini', 'GEM-09', { type: 'object', properties: {}, required: ['x'] }],
    ['gemini', 'GEM-10', { type: 'object', properties: { a: { type: 'array' } } }],
    ['vscode', 'HST-02', { type: 'object', properties: { a: { type: 'array' } } }],
    ['cursor', 'HST-05', { type: 'string' }],
  ] as const)('%s finds %s', (id, rule, schema) => {
    expect(rulesOf(id, schema)).toContain(rule);
  });

  it('tells recursive references from others', () => {
    const recursive = { $defs: { a: { type: 'object', properties: { a: { $ref: '#/$defs/a' } } } }, $ref: '#/$defs/a' };
    const finite = { $defs: { a: { type: 'string' } }, type: 'object', properties: { a: { $ref: '#/$defs/a' } } };
    const says = (schema: unknown) =>
      schemaFindings('anthropic-strict', schema).some(({ message }) => message.includes('refers to itself'));
    expect(says(recursive)).toBe(true);
    expect(says(finite)).toBe(false);
    expect(schemaFindings('openai-strict', { ...finite, properties: { a: { $ref: '#/nowhere' } } })).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('has no target') }),
    );
  });

  it('counts levels of nesting through references, once each', () => {
    const wrap = (schema: object): object => ({
      type: 'object',
      properties: { a: schema },
      required: ['a'],
      additionalProperties: false,
    });
    const deep = Array.from({ length: 10 }).reduce<object>(wrap, { type: 'string' });
    expect(rulesOf('openai-strict', deep)).toEqual([]);
    expect(rulesOf('openai-strict', wrap(deep))).toEqual(['OAI-09']);
    const viaRef = { ...wrap({ $ref: '#/$defs/deep' }), $defs: { deep } };
    expect(rulesOf('openai-strict', viaRef)).toEqual(['OAI-09']);
    const self = { ...wrap({ anyOf: [{ $ref: '#' }, { type: 'null' }] }) };
    expect(rulesOf('openai-strict', self)).toEqual([]);
  });

  it('counts properties, enum characters and text', () => {
    const many = Object.fromEntries(Array.from({ length: 5001 }, (_, i) => [`p${i}`, { type: 'string' }]));
    const closed = (properties: object) => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    });
    const messages = (schema: unknown) => schemaFindings('openai-strict', schema).map(({ message }) => message);
    expect(messages(closed(many))).toEqual([expect.stringContaining('5001 properties')]);
    const long = Array.from({ length: 251 }, (_, i) => `${'x'.repeat(60)}${i}`);
    expect(messages(closed({ e: { type: 'string', enum: long } }))).toEqual([expect.stringContaining('15000')]);
    expect(messages(closed({ e: { type: 'string', const: 'x'.repeat(120_000) } }))).toEqual([
      expect.stringContaining('characters of names'),
    ]);
  });

  it('says so when there is no schema at all', () => {
    expect(isAccepted(schemaFindings('openai', undefined))).toBe(false);
    expect(isAccepted(schemaFindings('gemini', true))).toBe(false);
  });
});

describe('checkAgainstProfile', () => {
  it.each([
    ['openai', 'OAI-01', tool('files.read')],
    ['openai', 'OAI-01', tool('x'.repeat(65))],
    ['anthropic', 'ANT-01', tool('x'.repeat(129))],
    ['gemini', 'GEM-01', tool('21st_magic')],
    ['bedrock', 'BED-02', tool('a', { description: '' })],
    ['azure', 'AZR-01', tool('a', { description: 'x'.repeat(1025) })],
    ['claude-connectors', 'ANT-05', tool('a', { title: 'A' })],
    ['claude-connectors', 'ANT-05', tool('a', { annotations: { readOnlyHint: true } })],
  ] as const)('%s refuses by %s', (id, rule, subject) => {
    const findings = checkAgainstProfile(subject, PROFILES[id]);
    expect(isAccepted(findings)).toBe(false);
    expect(findings.map((finding) => finding.rule)).toContain(rule);
  });

  it('only warns of long descriptions where they are taken', () => {
    const findings = checkAgainstProfile(tool('a', { description: 'x'.repeat(1025) }), PROFILES.openai);
    expect(findings).toEqual([expect.objectContaining({ rule: 'OAI-03', level: 'warning' })]);
    expect(isAccepted(findings)).toBe(true);
  });

  it('counts what the host puts before the name', () => {
    const named = tool('x'.repeat(52));
    expect(isAccepted(checkAgainstProfile(named, PROFILES.cursor, { server: 'posthog' }))).toBe(true);
    expect(isAccepted(checkAgainstProfile(named, PROFILES.cursor, { server: 'posthogs' }))).toBe(false);
    expect(isAccepted(checkAgainstProfile(named, PROFILES['claude-code'], { server: 'posthog' }))).toBe(false);
  });

  it('judges a list as a whole', () => {
    const list = (length: number) => Array.from({ length }, (_, i) => tool(`t${i}`));
    expect(isAccepted(checkAgainstProfile(list(128), PROFILES.openai))).toBe(true);
    expect(isAccepted(checkAgainstProfile(list(129), PROFILES.openai))).toBe(false);
    expect(checkAgainstProfile([tool('a'), tool('a')], PROFILES.openai)).toEqual([
      expect.objectContaining({ message: '2 tools are named "a".' }),
    ]);
    const optional = tool('a', {
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 25 }, (_, i) => [`p${i}`, { type: i < 17 ? ['string', 'null'] : 'string' }]),
        ),
        additionalProperties: false,
      },
    });
    expect(checkAgainstProfile([optional], PROFILES['anthropic-strict']).map(({ message }) => message)).toEqual([
      expect.stringContaining('25 optional'),
      expect.stringContaining('17 parameters of more than one type'),
    ]);
  });
});
