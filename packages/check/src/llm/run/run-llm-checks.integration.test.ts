import { DOUBLE_CREDENTIALS, DOUBLE_KEY, llmDouble } from '@plugboard/testing/llm';
import { expect, test } from 'vitest';
import { runLlmChecks } from './run-llm-checks.js';
import { goodModel } from '../test-support/good-model.js';

const OPTIONS = { failOn: 'must', version: '0.0.0' } as const;

test.each([
  ['openai-chat', 'gpt-double', '/v1'],
  ['openai-responses', 'gpt-double', '/v1'],
  ['anthropic', 'claude-double', ''],
  ['bedrock', 'anthropic.claude-double-v1:0', ''],
] as const)('a good endpoint passes over a real connection: %s', async (api, model, path) => {
  const double = await llmDouble();
  double.always(goodModel);
  const credentials = api === 'bedrock' ? { aws: DOUBLE_CREDENTIALS } : { key: DOUBLE_KEY };
  const target = { api, model, url: `${double.url}${path}`, ...credentials, timeoutMs: 10_000, burst: 0 };
  const report = await runLlmChecks(target, OPTIONS);
  expect(report.results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable')).toEqual([]);
  expect(report.outcome).toBe('passed');
  await double.close();
  // The kept connection is closed now, and nobody listens.
  expect(await runLlmChecks(target, OPTIONS)).toMatchObject({ outcome: 'unreachable', results: [] });
});
