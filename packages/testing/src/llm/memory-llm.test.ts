import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { MemoryLlm } from './memory-llm.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a request that hangs ends with its signal, also after garbage collection', async () => {
  const double = new MemoryLlm();
  double.always({ fault: 'hang' });
  const stop = new AbortController();
  const body = JSON.stringify({ model: 'gpt-double', messages: [{ role: 'user', content: 'Hi' }] });
  const headers = { authorization: 'Bearer sk-double', 'content-type': 'application/json' };
  const asked = double
    .fetch(`${double.openaiUrl}/chat/completions`, { method: 'POST', body, headers, signal: stop.signal })
    .catch((error: unknown) => (error instanceof Error ? error.name : error));
  for (let round = 0; round < 3; round += 1) {
    await sleep(10);
    collectGarbage();
  }
  stop.abort();
  expect(await Promise.race([asked, sleep(5_000, 'lost')])).toBe('AbortError');
});
