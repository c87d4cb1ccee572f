import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { checkReport } from '@plugboard/contract';
import { expect, it, onTestFinished } from 'vitest';
import { run, temporaryDirectory } from './cli-process.js';

const FILE = fileURLToPath(new URL('../../examples/workflow/document-to-code.yaml', import.meta.url));

it('the document → API test → code chain of the bundled servers passes in both eras, once the API is up', async () => {
  let requests = 0;
  const api = createServer((_request, response) => {
    requests += 1;
    response.statusCode = requests === 1 ? 503 : 200;
    response.setHeader('content-type', 'application/json');
    response.end('{"North":3,"South":1}');
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void api.close());
  const home = await temporaryDirectory();
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const { code, stdout } = await run(['workflow', 'run', FILE, '--json', '--var', `api=${url}`], { home });
  const report = checkReport.parse(JSON.parse(stdout));
  expect(report.results.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  expect(report.results).toHaveLength(14);
  expect(report.results.find(({ id }) => id === 'STEP-04@legacy')?.detail).toBe('after 2 attempts');
  expect(code).toBe(0);
});
