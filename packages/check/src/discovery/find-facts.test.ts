import { PassThrough } from 'node:stream';
import { memoryNetwork, MutantServer } from '@plugboard/testing';
import { expect, test } from 'vitest';
import type { Launch } from '../connection/child.js';
import { pause } from '../connection/deadline.js';
import { openLink } from '../locate/open-link.js';
import { terminalLines } from '../reporter/terminal.js';
import { checkTarget } from '../target/target.js';
import { runCell } from '../test-support/cell.js';
import { findFacts } from './find-facts.js';

test('a conversation in the modern era is not sent initialize once it is open', async () => {
  const server = new MutantServer({});
  const told: string[] = [];
  const launch: Launch = () => {
    const child = server.launch();
    const stdin = new PassThrough();
    const index = told.push('') - 1;
    stdin.on('data', (chunk: Buffer) => {
      told[index] += chunk.toString('utf8');
      child.stdin.write(chunk);
    });
    stdin.on('end', () => child.stdin.end());
    const { pid, stdout, stderr, exited } = child;
    return { pid, stdin, stdout, stderr, exited, kill: (signal) => child.kill(signal) };
  };
  const target = checkTarget.parse({ command: ['in-process'] });
  const link = await openLink(target, { launch }, new AbortController().signal);
  const { sessions, eras } = await findFacts(link);
  // Longer than the control waits.
  await pause(800);
  await Promise.all(Object.values(sessions).map((session) => session.close()));
  await server.close();
  expect(eras).toEqual(['legacy', 'modern']);
  const modern = told.filter((text) => text.includes('server/discover'));
  expect(modern).toHaveLength(1);
  expect(modern.filter((text) => text.includes('"initialize"'))).toEqual([]);
});

test('an address that leads elsewhere is told of once, with where it leads', async () => {
  const server = new MutantServer({
    http: { answer: () => ({ status: 307, headers: { location: '/mcp/' }, body: '' }) },
  });
  const report = await runCell(server, 'streamable-http', { network: memoryNetwork() });
  expect(report.reason).toBe('The server answered in no era: HTTP 307, a redirect to /mcp/ (check that address).');
  const texts = terminalLines(report).map(({ text }) => text);
  expect(texts).toContain('could not be examined');
});
