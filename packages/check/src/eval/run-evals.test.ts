import { describe, expect, test } from 'vitest';
import { evalJsonSchema, parseEvalFile } from './eval-file.js';
import type { EvalCall } from './judge-calls.js';
import { type AskEval, runEvals } from './run-evals.js';

const HEAD = 'name: weather\n';
const CASE = `cases:
  - name: forecast
    prompt: Will it rain in Oslo?
    expect:
      - tool: get_forecast
        arguments: { place: { city: Oslo } }
        check: [{ path: days, greaterThan: 0 }]
`;

const right: EvalCall = {
  server: 'weather',
  tool: 'get_forecast',
  arguments: { place: { city: 'Oslo', x: 1 }, days: 2 },
};

const evaluate = (text: string, ask: AskEval, signal?: AbortSignal) =>
  runEvals(parseEvalFile(text, 'x.yaml'), { version: '1', label: 'a model', ask, signal });

const verdicts = async (text: string, ...answers: readonly (readonly EvalCall[])[]) => {
  const { results, outcome } = await evaluate(text, async ({ iteration }) => answers[iteration % answers.length] ?? []);
  return { outcome, results: results.map(({ verdict, detail = '' }) => [verdict, detail] as const) };
};

test('docs/eval.schema.json is the schema of a file of evals', async () => {
  await expect(evalJsonSchema()).toMatchFileSnapshot('../../../../docs/eval.schema.json');
});

describe('a file of evals', () => {
  test.each([
    ['name: [', 'not YAML or JSON'],
    ['name: x', 'cases'],
    [`${HEAD}iterations: 0\n${CASE}`, 'iterations'],
    [`${HEAD}toolsets: [a]\nservers: { b: { url: 'http://127.0.0.1:1/mcp' } }\n${CASE}`, 'servers and toolsets'],
  ])('%s', (text, message) => {
    expect(() => parseEvalFile(text, 'x.yaml')).toThrow(message);
  });
});

describe('a case', () => {
  test('passes when the calls are those that it expects', async () => {
    const { outcome, results } = await verdicts(HEAD + CASE, [right]);
    expect(outcome).toBe('passed');
    expect(results).toEqual([['pass', '1 of 1 correct: 100 % (95 % interval 20.7 % to 100 %), required 100 %.']]);
  });

  test.each<[string, readonly EvalCall[], string]>([
    ['no call', [], 'get_forecast was not called.'],
    ['another argument', [{ ...right, arguments: { place: { city: 'Rome' }, days: 2 } }], 'must have'],
    ['a broken condition', [{ ...right, arguments: { ...right.arguments, days: 0 } }], 'greaterThan 0'],
    ['arguments that the tool rejects', [{ ...right, problem: 'days must be integer.' }], 'days must be integer.'],
    ['one call too many', [right, { ...right, tool: 'delete_all' }], 'delete_all was called, which is not expected.'],
  ])('fails with %s', async (_, calls, detail) => {
    const { outcome, results } = await verdicts(HEAD + CASE, calls);
    expect(outcome).toBe('failed');
    expect(results[0]).toEqual(['fail', expect.stringContaining(detail)]);
  });

  test('may allow other calls, name the server, and find the right one of two calls', async () => {
    const text = HEAD + CASE.replace('tool: get', 'tool: weather/get').replace('expect:', 'others: allow\n    expect:');
    const other = { ...right, arguments: {} };
    expect((await verdicts(text, [other, right])).outcome).toBe('passed');
    expect((await verdicts(text, [{ ...right, server: 'else' }])).outcome).toBe('failed');
  });

  test('may expect that no tool is called', async () => {
    const text = `${HEAD}cases: [{ name: thanks, prompt: Thanks! }]\n`;
    expect((await verdicts(text, [])).outcome).toBe('passed');
    expect((await verdicts(text, [right])).outcome).toBe('failed');
  });
});

describe('iterations', () => {
  const text = `${HEAD}iterations: 10\npassRate: 0.8\n`;
  const answers = [...Array.from({ length: 8 }, () => [right]), [], []];

  test('are judged by the share of correct answers', async () => {
    const { results } = await verdicts(text + CASE, ...answers);
    expect(results[0]).toEqual([
      'pass',
      expect.stringContaining('8 of 10 correct: 80 % (95 % interval 49 % to 94.3 %)'),
    ]);
    const worse = await verdicts(text + CASE, ...answers.slice(1), []);
    expect(worse.results[0]).toEqual(['fail', expect.stringContaining('Iteration 8: get_forecast was not called.')]);
  });

  test('are judged by the lower bound of the interval', async () => {
    const strict = `${text}judgeBy: lower-bound\n`;
    expect((await verdicts(strict + CASE, ...answers)).outcome).toBe('failed');
    const many = strict.replace('passRate: 0.8', 'passRate: 0.7');
    expect((await verdicts(many + CASE, [right])).outcome).toBe('passed');
  });

  test('run at most as many at a time as the file says', async () => {
    let [open, most] = [0, 0];
    await evaluate(`${text}parallel: 3\n${CASE}`, async () => {
      open += 1;
      most = Math.max(most, open);
      await Promise.resolve();
      open -= 1;
      return [right];
    });
    expect(most).toBe(3);
  });
});

test('a model that does not answer is no wrong answer', async () => {
  const report = await evaluate(`${HEAD}iterations: 2\n${CASE}`, async ({ iteration }) => {
    if (iteration === 1) throw new Error('The provider is overloaded.');
    return [right];
  });
  expect(report).toMatchObject({
    outcome: 'incomplete',
    results: [{ verdict: 'not-verified', detail: '1 of 2 requests were not answered. The provider is overloaded.' }],
  });
});

test('a run that is cancelled says so', async () => {
  const report = await evaluate(HEAD + CASE, async () => [right], AbortSignal.abort());
  expect(report).toMatchObject({ outcome: 'not-examined', reason: 'The run was cancelled.' });
});
