// What the schema doctor costs. Build first: npx tsc -b packages/schema; then: node bench/schema.mjs
import {
  compareServers,
  contractHash,
  gradeSchema,
  gradeTool,
  normaliseSchema,
} from '../packages/schema/dist/index.js';
import { milliseconds, schemaWith, show, time, toolWith } from './support/schema-load.mjs';

const tools = Array.from({ length: 1000 }, (_, index) => toolWith(schemaWith(3 + (index % 10)), index));
const changed = tools.map((tool) => ({ ...tool, description: `${tool.description} Twice.` }));

console.log('1,000 tools of 3 to 12 parameters');
show('  grade', milliseconds(time(() => tools.forEach((tool) => gradeTool(tool)))));
show('  grade like Letta', milliseconds(time(() => tools.forEach((tool) => gradeTool(tool, { profile: 'letta' })))));
show('  normalise', milliseconds(time(() => tools.forEach((tool) => normaliseSchema(tool.inputSchema)))));
show('  hash', milliseconds(time(() => tools.forEach((tool) => contractHash(tool)))));
show('  compare with a changed list', milliseconds(time(() => compareServers(tools, changed))));

console.log('\ncost of twice the size (2.0 is linear)');
const work = { grade: gradeSchema, normalise: normaliseSchema };
for (const [name, run] of Object.entries(work)) {
  let before;
  for (const size of [500, 1000, 2000, 4000]) {
    const schema = schemaWith(size);
    const cost = time(() => run(schema));
    show(
      `  ${name}, ${size} parameters`,
      `${milliseconds(cost)}${before === undefined ? '' : `  × ${(cost / before).toFixed(2)}`}`,
    );
    before = cost;
  }
}

const nested = (levels) => {
  let schema = { type: 'string' };
  for (let level = 0; level < levels; level += 1) schema = { type: 'object', properties: { next: schema } };
  return schema;
};

const chain = (length) => ({
  type: 'object',
  properties: { first: { $ref: '#/$defs/d0' } },
  $defs: Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `d${index}`,
      index === length - 1 ? { type: 'string' } : { $ref: `#/$defs/d${index + 1}` },
    ]),
  ),
});

const shared = () => {
  let schema = { type: 'string' };
  for (let level = 0; level < 60; level += 1) schema = { anyOf: [schema, schema] };
  return { type: 'object', properties: { p: schema } };
};

const PATHOLOGICAL = {
  '100,000 levels deep': nested(100_000),
  '120 levels deep': nested(120),
  '24,000 properties wide': {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 24_000 }, (_, i) => [`p${i}`, {}])),
  },
  '1,000,000 enum values': {
    type: 'object',
    properties: { p: { enum: Array.from({ length: 1_000_000 }, (_, i) => i) } },
  },
  'a chain of 24,000 references': chain(24_000),
  'recursive through itself': { type: 'object', properties: { self: { $ref: '#' }, all: { allOf: [{ $ref: '#' }] } } },
  'references in a circle': { type: 'object', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
  'one object used 2^60 times': shared(),
  '5 MB of text': { type: 'object', description: 'x'.repeat(5_000_000) },
  '5 MB of parameters': schemaWith(100_000),
};

console.log(
  '\npathological schemas: the slowest of grade, normalise, hash and compare (each must end within a second)',
);
let slow = false;
for (const [name, schema] of Object.entries(PATHOLOGICAL)) {
  const tool = { name: 'x', inputSchema: schema };
  const changedTool = { ...tool, inputSchema: { ...schema, title: 'changed' } };
  const costs = {
    grade: time(() => gradeTool(tool)),
    normalise: time(() => normaliseSchema(schema)),
    hash: time(() => contractHash(tool)),
    compare: time(() => compareServers([tool], [changedTool])),
  };
  const [slowest, cost] = Object.entries(costs).sort(([, a], [, b]) => b - a)[0];
  slow ||= cost > 1000;
  show(`  ${name}`, `${milliseconds(cost)} (${slowest})  ${gradeTool(tool).status}`);
}
process.exitCode = slow ? 1 : 0;
