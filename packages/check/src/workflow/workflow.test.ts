import { describe, expect, test } from 'vitest';
import { cellsOf } from './cells.js';
import { parseWorkflowFile, workflowJsonSchema } from './workflow-file.js';
import { defineWorkflow } from './workflow.js';

const step = { name: 'one', server: 'a', tool: 'echo' };
const servers = { a: { command: ['node', 'a.js'] }, b: { url: 'http://127.0.0.1:1/mcp' } };

test('docs/workflow.schema.json is the schema of a workflow file', async () => {
  await expect(workflowJsonSchema()).toMatchFileSnapshot('../../../../docs/workflow.schema.json');
});

describe('a workflow', () => {
  test('is read from YAML, with its defaults', () => {
    const plan = parseWorkflowFile(
      'name: x\nservers: { a: { command: [node, a.js] } }\nsteps:\n  - { name: one, server: a, tool: echo }\n',
      'x.yaml',
    );
    expect(plan).toMatchObject({ teardown: [], timeoutMs: 300_000, steps: [{ expect: [], capture: {} }] });
  });

  test('may have steps in code', () => {
    const run = async () => ({ found: 1 });
    const plan = defineWorkflow({ name: 'x', servers, steps: [{ name: 'code', run }, step] });
    expect(plan.steps[0]).toEqual({ name: 'code', run });
    expect(plan.steps[1]).toMatchObject({ tool: 'echo', expectError: false });
  });

  test.each([
    ['name: [', 'it is not YAML or JSON'],
    ['name: x', 'it has no list of steps'],
    ['name: x\nservers: {}\nsteps: []', 'servers'],
    ['name: x\nservers: { a: { command: [x] } }\nsteps: [{ name: s, server: b, tool: t }]', 'unknown server "b"'],
    ['name: x\nservers: { a: { command: [x] } }\nsteps: [{ name: s, server: a }]', 'either tool or method'],
    [
      'name: x\nservers: { a: { command: [x] } }\nsteps: [{ call: a/t }]',
      'steps[0].name is missing; steps[0].server is missing; steps[0] has unknown keys: "call".',
    ],
    [
      'name: x\nservers: { a: { command: [x] } }\nsteps: [{ name: s, server: a, tool: t, retry: { attempts: 1000 } }]',
      'attempts',
    ],
    [
      'name: x\nservers: { a: { command: [x] } }\nmatrix: { servers: { c: [{}] } }\nsteps: [{ name: s, server: a, tool: t }]',
      'unknown server "c"',
    ],
    ['name: x\ncode: y\nservers: { a: { command: [x] } }\nsteps: [{ name: s, server: a, tool: t }]', 'code'],
  ])('%j is refused', (text, why) => {
    expect(() => parseWorkflowFile(text, 'x.yaml')).toThrow(why);
  });

  test('runs in every combination of its matrix, within bounds', () => {
    const matrix = { era: ['legacy' as const, 'modern' as const], servers: { a: [servers.a, servers.b] } };
    const plan = defineWorkflow({ name: 'x', servers, matrix, steps: [step] });
    expect(cellsOf(plan).map(({ label }) => label)).toEqual([
      'legacy, a=stdio',
      'legacy, a=127.0.0.1:1',
      'modern, a=stdio',
      'modern, a=127.0.0.1:1',
    ]);
    const twins = { a: [servers.a, servers.a, { name: 'stdio-2', command: ['x'] }, servers.b, servers.b] };
    const labels = cellsOf(defineWorkflow({ name: 'x', servers, matrix: { servers: twins }, steps: [step] }));
    expect(labels.map(({ label }) => label)).toEqual([
      'a=stdio',
      'a=stdio-3',
      'a=stdio-2',
      'a=127.0.0.1:1',
      'a=127.0.0.1:1-2',
    ]);
    const many = Array.from({ length: 16 }, () => servers.a);
    const wide = defineWorkflow({ name: 'x', servers, matrix: { servers: { a: many, b: many } }, steps: [step] });
    expect(() => cellsOf(wide)).toThrow('more than 64');
  });
});
