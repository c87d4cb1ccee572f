// What adapting, linting and mapping back cost. Build first: npx tsc -b packages/schema; then: node bench/schema-adapt.mjs
import {
  adaptArguments,
  adaptList,
  adaptTool,
  estimateServerTokens,
  lintServer,
  PROFILE_IDS,
  restoreArguments,
} from '../packages/schema/dist/index.js';
import { milliseconds, schemaWith, show, time, toolWith } from './support/schema-load.mjs';

const MAP = () => ({ type: 'object', additionalProperties: { type: 'string' } });

const draft7With = (parameters) => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  ...schemaWith(parameters, [MAP]),
});

const tools = Array.from({ length: 1000 }, (_, index) => toolWith(draft7With(3 + (index % 10)), index));

console.log('1,000 tools of 3 to 12 parameters');
for (const id of PROFILE_IDS) show(`  adapt to ${id}`, milliseconds(time(() => adaptList(tools, id))));
show('  lint as one server', milliseconds(time(() => lintServer({ tools }), 3)));
show('  estimate tokens', milliseconds(time(() => estimateServerTokens(tools))));

const { plan } = adaptTool(toolWith(draft7With(12)), 'openai-strict');
const args = adaptArguments(plan, { p0: 'x', p5: { x: 1 }, p6: { a: 'b' } });
show(
  '  map 1,000 calls back and validate them',
  milliseconds(
    time(() => {
      for (let call = 0; call < 1000; call += 1) restoreArguments(plan, args);
    }),
  ),
);

console.log('\ncost of twice the size (2.0 is linear)');
for (const id of ['openai-strict', 'gemini']) {
  let before;
  for (const size of [250, 500, 1000, 2000]) {
    const tool = toolWith(draft7With(size));
    const cost = time(() => adaptTool(tool, id));
    show(
      `  ${id}, ${size} parameters`,
      `${milliseconds(cost)}${before === undefined ? '' : `  × ${(cost / before).toFixed(2)}`}`,
    );
    before = cost;
  }
}

const nested = (levels) =>
  Array.from({ length: levels }).reduce((inner) => ({ type: 'object', properties: { next: inner } }), {
    type: 'string',
  });

const branching = (levels) => ({
  type: 'object',
  properties: { start: { $ref: '#/$defs/l0' } },
  $defs: Object.fromEntries(
    Array.from({ length: levels }, (_, level) => [
      `l${level}`,
      {
        type: 'object',
        properties: Object.fromEntries(
          ['a', 'b', 'c'].map((key) => [key, { $ref: `#/$defs/l${(level + 1) % levels}` }]),
        ),
      },
    ]),
  ),
});

const unions = (levels) =>
  Array.from({ length: levels }).reduce((inner) => ({ anyOf: [inner, { type: 'object', properties: { a: inner } }] }), {
    type: 'string',
  });

const PATHOLOGICAL = {
  '120 levels deep': nested(120),
  '5,000 levels deep': nested(5000),
  '20,000 properties': draft7With(20_000),
  'references that branch three ways, 30 levels': branching(30),
  'a ring of 900 definitions': {
    type: 'object',
    properties: { start: { $ref: '#/$defs/d0' } },
    $defs: Object.fromEntries(
      Array.from({ length: 900 }, (_, i) => [
        `d${i}`,
        { type: 'object', properties: { next: { $ref: `#/$defs/d${(i + 1) % 900}` } } },
      ]),
    ),
  },
  'a choice of 5,000 constants': {
    type: 'object',
    properties: { c: { oneOf: Array.from({ length: 5000 }, (_, i) => ({ const: i })) } },
  },
  'unions inside unions, 14 levels': { type: 'object', properties: { u: unions(14) } },
  'an enum of 50,000 values': {
    type: 'object',
    properties: { e: { enum: Array.from({ length: 50_000 }, (_, i) => `v${i}`) } },
  },
  '5 MB of description': {
    type: 'object',
    properties: { a: { type: 'string', description: 'word '.repeat(1_000_000) } },
  },
};

console.log('\npathological schemas, slowest profile of all');
let slow = 0;
for (const [label, schema] of Object.entries(PATHOLOGICAL)) {
  const costs = PROFILE_IDS.map((id) => {
    let verdict = '';
    const cost = time(() => ({ verdict } = adaptTool(toolWith(schema), id)), 1);
    return { id, cost, verdict };
  });
  const worst = costs.reduce((a, b) => (a.cost >= b.cost ? a : b));
  const lint = time(() => lintServer({ tools: [toolWith(schema)] }), 1);
  show(`  ${label}`, `${milliseconds(worst.cost)} (${worst.id}, ${worst.verdict}); lint ${milliseconds(lint)}`);
  if (worst.cost > 1000 || lint > 1000) slow += 1;
}
if (slow > 0) {
  console.log(`\n${slow} took longer than a second.`);
  process.exitCode = 1;
}
