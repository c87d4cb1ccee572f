import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOUBLE_KEY, MemoryLlm } from '@plugboard/testing/llm';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';

afterEach(() => void vi.unstubAllGlobals());

const answers = {
  '/servers': { weather: {} },
  '/servers/weather/tools': [
    {
      name: 'get_forecast',
      description: 'The forecast of a city.',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  ],
};

const CASES = `name: weather
cases:
  - name: forecast
    prompt: Will it rain in Oslo?
    expect: [{ tool: get_forecast, arguments: { city: Oslo } }]
    script: [[{ tool: get_forecast, arguments: { city: Oslo } }]]
  - name: thanks
    prompt: Thanks!
    script: [[]]
`;

const forecast = (city: unknown) => ({ toolCalls: [{ name: 'get_forecast', arguments: { city } }] });

const openRig = async (text = CASES) => {
  const cwd = await mkdtemp(join(tmpdir(), 'plugboard-eval-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  await writeFile(join(cwd, 'evals.yaml'), text);
  const double = new MemoryLlm();
  vi.stubGlobal('fetch', double.fetch);
  const evaluate = (...argv: readonly string[]) =>
    runFake(['eval', 'evals.yaml', ...argv], { answers }, { cwd, stdin: '', env: { OPENAI_API_KEY: DOUBLE_KEY } });
  const model = ['--model', 'openai:gpt-double', '--base-url', double.openaiUrl];
  return { cwd, double, evaluate, model };
};

describe('plugboard eval', () => {
  it('uses the scripts of the cases, and calls no tool', async () => {
    const { evaluate, double } = await openRig();
    const { code, stdout, hub } = await evaluate('--verbose');
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 of 1 correct')]);
    expect(hub.seen.some(({ method }) => method === 'POST')).toBe(false);
    expect(double.requests).toEqual([]);
  });

  it('asks a model as often as it is told, writes reports, and fails', async () => {
    const { evaluate, double, model, cwd } = await openRig();
    double.next(forecast('Oslo'), forecast('Rome'), { text: 'You are welcome.' }, { text: 'Bye.' });
    const { code, stdout, hub } = await evaluate(...model, '--iterations', '2', '--report', 'evals.xml', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'eval',
      outcome: 'failed',
      results: [
        { id: 'EVAL-01', verdict: 'fail', detail: expect.stringContaining('1 of 2 correct: 50 %') as string },
        { verdict: 'pass' },
      ],
    });
    expect(await readFile(join(cwd, 'evals.xml'), 'utf8')).toContain('EVAL-01');
    expect(hub.seen.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('has the confidence interval in every report, also of what passed', async () => {
    const { evaluate, double, model, cwd } = await openRig();
    double.next(forecast('Oslo'), { text: 'You are welcome.' });
    const files = ['json', 'md', 'xml', 'sarif', 'html', 'svg'].map((ending) => `evals.${ending}`);
    const { stdout } = await evaluate(...model, ...files.flatMap((file) => ['--report', file]));
    expect(stdout).toContain('1 of 1 correct: 100 % (95 % interval 20.7 % to 100 %)');
    for (const file of files) {
      const written = await readFile(join(cwd, file), 'utf8');
      expect(written).toContain(file.endsWith('svg') ? 'eval: 2 passed' : 'interval 20.7 % to 100 %');
    }
  });

  it('counts arguments that the tool rejects, and tools that do not exist, as wrong', async () => {
    const { evaluate, double, model } = await openRig();
    double.next(forecast(7), { toolCalls: [{ name: 'no_such_tool', arguments: {} }] });
    const { stdout } = await evaluate(...model, '--json');
    const { results } = JSON.parse(stdout) as { results: { verdict: string; detail: string }[] };
    expect(results.map(({ verdict }) => verdict)).toEqual(['fail', 'fail']);
    expect(results[0]?.detail).toContain('not valid');
    expect(results[1]?.detail).toContain('no_such_tool was called');
  });

  it('records a model, and replays it without asking it', async () => {
    const { evaluate, double, model, cwd } = await openRig();
    double.next(forecast('Oslo'), { text: 'You are welcome.' });
    const recorded = await evaluate(...model, '--record', 'model.jsonl');
    expect([recorded.code, recorded.stderr]).toEqual([0, expect.stringContaining('Wrote 2 answers to model.jsonl')]);
    expect(await readFile(join(cwd, 'model.jsonl'), 'utf8')).not.toContain(DOUBLE_KEY);
    const asked = double.requests.length;
    const replayed = await evaluate('--replay', 'model.jsonl', '--iterations', '3');
    expect([replayed.code, replayed.stdout]).toEqual([0, expect.stringContaining('gpt-double, replayed')]);
    expect(double.requests).toHaveLength(asked);
    expect((await evaluate(...model, '--record', 'model.jsonl')).code).toBe(2);
  });

  it('has exit code 6 when the model does not answer', async () => {
    const { evaluate, double, model } = await openRig();
    double.always({ fault: { status: 401 } });
    const { code, stdout } = await evaluate(...model);
    expect([code, stdout]).toEqual([
      6,
      expect.stringContaining('a model that answers; it failed: The provider openai'),
    ]);
  });

  it.each([
    ['a case without a script', CASES.replace(/ {4}script: \[\[\]\]\n/u, ''), [], 'has no script'],
    ['a file that is not valid', 'name: x\n', [], 'is not a file of evals'],
    ['a recording that is none', CASES, ['--replay', 'evals.yaml'], 'is not a recording of a model'],
  ])('refuses %s', async (_, text, argv, message) => {
    const { evaluate } = await openRig(text);
    const { code, stderr } = await evaluate(...argv);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
