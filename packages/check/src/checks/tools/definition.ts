import { createSchemaValidator, refResolver, walkSchema, type SchemaValidator } from '@plugboard/schema';
import { isObject, show } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { doubtful, holds } from '../../model/finding.js';
import type { ListedTool } from '../../calls/tool.js';
import { inBoth } from '../instrument/in-both.js';
import { judged, judgedList } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';

const tools = {
  family: 'tools',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  needs: 'tools',
} as const;

const shapeFlaws = ({ definition, inputSchema, name }: ListedTool): readonly string[] => {
  if (typeof definition['name'] !== 'string' || definition['name'] === '') return ['A tool has no name.'];
  if (!isObject(inputSchema)) return [`The inputSchema of ${name} is ${show(inputSchema)}.`];
  return inputSchema['type'] === 'object'
    ? []
    : [`The inputSchema of ${name} has the type ${show(inputSchema['type'])}.`];
};

export const toolShape = defineCheck({
  ...tools,
  id: 'TOL-01',
  title: 'every tool has a name and an inputSchema whose root is an object',
  level: 'MUST',
  tier: 'smoke',
  source: {
    legacy: spec('2025-11-25', 'server/tools#tool', 'MUST be a valid JSON Schema object (not null)'),
    modern: spec('2026-07-28', 'server/tools#tool', 'MUST be a valid JSON Schema object (not null)'),
  },
  remedy:
    'Give every tool a name and an inputSchema with "type": "object"; for a tool without parameters, that is the whole schema.',
  async run(probe) {
    const flaws = (await probe.tools()).flatMap(shapeFlaws);
    return await judgedList(probe, 'tools/list', flaws, 'name: string, inputSchema: { "type": "object", … }');
  },
});

const NAME = /^[A-Za-z0-9_.-]{1,128}$/u;

export const toolNames = defineCheck({
  ...tools,
  id: 'TOL-02',
  title: 'tool names are unique, have 1 to 128 characters, and consist of letters, digits, _ - and .',
  level: 'SHOULD',
  tier: 'smoke',
  source: {
    legacy: spec('2025-11-25', 'server/tools#tool-names', 'Tool names SHOULD be unique within a server.'),
    modern: spec('2026-07-28', 'server/tools#tool-names', 'Tool names SHOULD be unique within a server.'),
  },
  remedy: 'Rename the tools: use only letters, digits, underscore, hyphen and dot, and no name twice.',
  async run(probe) {
    const names = (await probe.tools()).map(({ name }) => name);
    const odd = names.filter((name) => !NAME.test(name)).map((name) => `The name ${show(name)} is not allowed.`);
    const twice = names
      .filter((name, index) => names.indexOf(name) !== index)
      .map((name) => `The name ${show(name)} is there twice.`);
    const alike = names
      .filter((name, index) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) !== index)
      .filter((name) => names.indexOf(name) === names.lastIndexOf(name))
      .map((name) => `${show(name)} differs from another name only in case.`);
    return await judgedList(probe, 'tools/list', [...odd, ...twice, ...alike], '[A-Za-z0-9_.-]{1,128}, each once');
  },
});

const compiles = (validate: SchemaValidator, schema: unknown): string | undefined => {
  const validation = validate(schema, {});
  const unusable = validation.ok ? validation.unchecked : undefined;
  return unusable?.includes('schema is invalid') === true ? unusable : undefined;
};

const schemasOf = ({ inputSchema, outputSchema }: ListedTool): readonly (readonly [string, unknown])[] =>
  [['inputSchema', inputSchema] as const, ['outputSchema', outputSchema] as const].filter(([, schema]) =>
    isObject(schema),
  );

export const schemasCompile = defineCheck({
  ...tools,
  id: 'TOL-03',
  title: 'every schema is valid in its declared dialect, by default 2020-12',
  level: 'MUST',
  since: '2025-11-25',
  tier: 'smoke',
  source: {
    legacy: spec(
      '2025-11-25',
      'basic/index#schema-validation',
      'Schemas MUST be valid according to their declared or default dialect',
    ),
    modern: spec(
      '2026-07-28',
      'basic/index#schema-validation',
      'Schemas MUST be valid according to their declared or default dialect',
    ),
  },
  remedy: 'Correct the schema; a validator of its dialect shows the error.',
  async run(probe) {
    const validate = createSchemaValidator();
    const flaws = (await probe.tools()).flatMap((tool) =>
      schemasOf(tool).flatMap(([which, schema]) => {
        const why = compiles(validate, schema);
        return why === undefined ? [] : [`The ${which} of ${tool.name} is not a valid schema: ${why}.`];
      }),
    );
    return await judgedList(probe, 'tools/list', flaws, 'schemas that a validator of their dialect accepts');
  },
});

const MAX_DEPTH = 64;
const MAX_NODES = 5_000;

const refFlaws = (schema: unknown): readonly string[] => {
  const resolve = refResolver(schema);
  const flaws: string[] = [];
  let [nodes, deepest] = [0, 0];
  walkSchema(
    schema,
    (node) => {
      nodes += 1;
      deepest = Math.max(deepest, node.depth);
      const ref = isObject(node.schema) ? node.schema['$ref'] : undefined;
      if (typeof ref !== 'string') return;
      if (/^https?:/u.test(ref)) flaws.push(`refers to ${ref}, which clients do not fetch`);
      else if (!resolve(ref).found) flaws.push(`refers to ${ref}, which does not exist`);
    },
    { limits: { nodes: MAX_NODES * 2, depth: MAX_DEPTH * 2 } },
  );
  if (deepest > MAX_DEPTH) flaws.push(`is ${deepest} levels deep`);
  if (nodes > MAX_NODES) flaws.push(`has more than ${MAX_NODES} subschemas`);
  return flaws;
};

export const referencesResolve = defineCheck({
  ...tools,
  id: 'TOL-04',
  title: 'references stay inside their schema and have a target; depth and size are limited',
  level: 'SHOULD',
  legacyLevel: 'ADVICE',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'basic/index#ref-resolution',
    'Implementations MUST NOT automatically dereference $ref values that resolve to a network URI.',
  ),
  remedy: 'Put the target under "$defs" in the same schema.',
  async run(probe) {
    const flaws = (await probe.tools()).flatMap((tool) =>
      schemasOf(tool).flatMap(([which, schema]) =>
        refFlaws(schema).map((what) => `The ${which} of ${tool.name} ${what}.`),
      ),
    );
    return await judgedList(probe, 'tools/list', flaws, 'local references that resolve');
  },
});

const SAFE_ICON = /^(?:https:|data:image\/)/iu;

export const safeIcons = defineCheck({
  ...tools,
  id: 'TOL-19',
  title: 'icons have https: or data: addresses',
  level: 'SHOULD',
  tier: 'standard',
  source: inBoth('basic/index#icons', 'Ensure that the icon URI is either a HTTPS or data: URI.'),
  remedy: 'Serve icons over https, or write them into the definition as data: URIs.',
  async run(probe) {
    const flaws = (await probe.tools()).flatMap(({ name, definition }) => {
      const icons = Array.isArray(definition['icons']) ? definition['icons'] : [];
      return icons
        .map((icon: unknown) => (isObject(icon) ? icon['src'] : undefined))
        .filter((src) => typeof src !== 'string' || !SAFE_ICON.test(src))
        .map((src) => `An icon of ${name} has the address ${show(src)}.`);
    });
    return await judgedList(probe, 'tools/list', flaws, 'https: or data:image/…');
  },
});

export const hintsAgree = defineCheck({
  ...tools,
  id: 'TOL-16',
  title: 'annotations are booleans and do not contradict each other',
  level: 'ADVICE',
  tier: 'standard',
  source: inBoth('schema#toolannotations', 'If true, the tool does not modify its environment.'),
  remedy: 'Give a read-only tool readOnlyHint true and destructiveHint false.',
  async run(probe) {
    const flaws = (await probe.tools()).flatMap(({ name, annotations }) => {
      const odd = Object.entries(annotations).filter(
        ([key, value]) => key.endsWith('Hint') && typeof value !== 'boolean',
      );
      if (odd.length > 0) return [`${name}: ${odd.map(([key]) => key).join(', ')} is not a boolean.`];
      const both = annotations['readOnlyHint'] === true && annotations['destructiveHint'] === true;
      return both ? [`${name} is both read-only and destructive.`] : [];
    });
    if (flaws.length === 0) return holds();
    const { exchange } = await probe.session().request('tools/list');
    const finding = judged([{ detail: flaws.join(' '), exchange }], 'hints that do not contradict each other');
    return finding.kind === 'broken' ? doubtful(finding) : finding;
  },
});
