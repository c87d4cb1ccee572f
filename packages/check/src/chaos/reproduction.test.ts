import { describe, expect, test } from 'vitest';
import { checkTarget, type CheckTargetInput } from '../target/target.js';
import { reproduction, type Reproducible } from './reproduction.js';

const line = (target: CheckTargetInput, more: Partial<Reproducible> = {}): string =>
  reproduction(
    {
      target: checkTarget.parse(target),
      transport: 'streamable-http',
      era: 'legacy',
      call: { tool: 'echo', arguments: { message: "it's" } },
      seed: 7,
      budgetMs: 2_500,
      subjectFlags: [],
      ...more,
    },
    'RSL-05',
  );

const FLAGS = String.raw`plugboard chaos --tool 'echo={"message":"it'\''s"}' --era legacy --only RSL-05 --seed 7 --budget 2.5`;

describe('the command that shows a fault again', () => {
  test('has the tool, the row, the seed and the subject', () => {
    const subjectFlags = ['--client', 'node my-client.mjs'];
    expect(line({ url: 'http://127.0.0.1:3000/mcp' })).toBe(`${FLAGS} http://127.0.0.1:3000/mcp`);
    expect(line({ url: 'http://127.0.0.1:3000/mcp' }, { subjectFlags })).toBe(
      `${FLAGS} --client 'node my-client.mjs' http://127.0.0.1:3000/mcp`,
    );
    expect(line({ url: 'http://127.0.0.1:3000/sse' }, { transport: 'sse' })).toBe(
      `${FLAGS} --sse http://127.0.0.1:3000/sse`,
    );
  });

  test('quotes a program, and shows the values of neither variables nor headers', () => {
    const program = { command: ['node', 'my server.js'], cwd: '/a b', env: { API_KEY: 'very-secret' } };
    expect(line(program, { transport: 'stdio' })).toBe(
      `${FLAGS} --env API_KEY="$API_KEY" --cwd '/a b' -- node 'my server.js'`,
    );
    expect(line({ url: 'http://x.example/mcp', headers: { 'X-Key': 'very-secret' } })).toBe(
      `${FLAGS} --header "X-Key: $X_KEY" http://x.example/mcp`,
    );
  });
});
