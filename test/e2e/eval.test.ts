import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkReport } from '@plugboard/contract';
import { DOUBLE_KEY, llmDouble } from '@plugboard/testing/llm';
import { expect, it } from 'vitest';
import { run, temporaryDirectory } from './cli-process.js';

const FILE = fileURLToPath(new URL('../../examples/evals/weather.yaml', import.meta.url));

it('the example passes with its scripts, and is judged by the share of correct answers', async () => {
  const { code, stdout } = await run(['eval', FILE, '--json'], { home: await temporaryDirectory() });
  const { results, outcome } = checkReport.parse(JSON.parse(stdout));
  expect([code, outcome]).toEqual([0, 'passed']);
  expect(results.map(({ detail = '' }) => detail.slice(0, 14))).toEqual([
    '5 of 5 correct',
    '4 of 5 correct',
    '5 of 5 correct',
  ]);
});

it('the example is recorded from a model, and replayed without it', async () => {
  const home = await temporaryDirectory();
  const double = await llmDouble();
  double.always(({ body }) => {
    const prompt = JSON.stringify(body['messages']);
    if (prompt.includes('alerts')) return { toolCalls: [{ name: 'get_alerts', arguments: { state: 'CA' } }] };
    if (prompt.includes('Thank')) return { text: 'You are welcome.' };
    return { toolCalls: [{ name: 'get_forecast', arguments: { latitude: 59.91, longitude: 10.75 } }] };
  });
  const recording = join(home, 'model.jsonl');
  const model = ['--model', 'anthropic:claude-double', '--base-url', double.url, '--record', recording];
  const env = { ANTHROPIC_API_KEY: DOUBLE_KEY };
  const live = await run(['eval', FILE, ...model, '--report', join(home, 'evals.xml')], { home, env });
  expect([live.code, double.refusals]).toEqual([0, []]);
  expect(await readFile(join(home, 'evals.xml'), 'utf8')).toContain('EVAL-03');
  await double.close();
  const replayed = await run(['eval', FILE, '--replay', recording, '--json'], { home });
  expect([replayed.code, checkReport.parse(JSON.parse(replayed.stdout)).outcome]).toEqual([0, 'passed']);
});
