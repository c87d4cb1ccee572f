import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CHECKS, checkTarget, runChecks } from '@plugboard/check';
import type { CheckResult } from '@plugboard/contract';
import { describe, expect, onTestFinished, test } from 'vitest';

// LIF-29 is judged at the end of a run and sends nothing of its own. Its line must show the end, or the silence, all the same.

const PROGRAM = fileURLToPath(new URL('../../support/frail-server.mjs', import.meta.url));
const PATH = process.env['PATH'] ?? '';

const shell = (line: string, env: NodeJS.ProcessEnv = {}): Promise<string> =>
  new Promise((resolve) => {
    execFile('sh', ['-c', line], { env: { PATH, ...env }, timeout: 40_000 }, (_error, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    );
  });

/** The finding of a run in which another check sends what the server cannot bear. */
const stopped = async (target: object): Promise<CheckResult> => {
  const common = { only: ['PRM-01'], era: 'legacy', seed: 1, budgets: { requestMs: 1_500 } };
  const { results } = await runChecks(checkTarget.parse({ ...common, ...target }), {
    checks: CHECKS,
    version: '0.0.0',
    baseEnv: { PATH },
  });
  const found = results.find(({ id }) => id === 'LIF-29');
  if (found === undefined) throw new Error('LIF-29 was not judged.');
  expect(found.verdict).toBe('fail');
  return found;
};

const lineOf = ({ evidence }: CheckResult): string => evidence?.reproduce ?? '';

/** Starts the server behind HTTP, on this port or on any. */
const listening = async (mode: string, port = 0) => {
  const child = spawn(process.execPath, [PROGRAM, mode, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(printed.toString('utf8')) };
};

describe('the line that repeats the end of a server', () => {
  test('over stdio shows the exit code', async () => {
    const death = await stopped({ command: [process.execPath, PROGRAM, 'dies'] });
    expect(death.detail).toMatch(/^The last request was prompts\/list\. The process exited with code 7\./u);
    const line = lineOf(death);
    expect(line).toContain('"method":"prompts/list"');
    expect(await shell(line)).toContain('exit code 7');
    expect(await shell(line.replace(' dies', ' healthy'))).toContain('exit code 0');
  });

  test('has the folder and the variables of the program, and no value', async () => {
    const command = ['node', './frail-server.mjs', 'dies'];
    const cwd = fileURLToPath(new URL('../../support', import.meta.url));
    const line = lineOf(await stopped({ command, cwd, env: { API_KEY: 'a-secret-value' } }));
    expect(line).not.toContain('a-secret-value');
    expect(line).toContain('API_KEY="$API_KEY" node');
    expect(await shell(line, { API_KEY: 'a-secret-value' })).toContain('exit code 7');
  });

  test('over HTTP ends a server that was started again, which does not know the old session', async () => {
    const { port } = await listening('dies');
    const line = lineOf(await stopped({ url: `http://127.0.0.1:${port}/mcp` }));
    const again = await listening('dies', port);
    const ended = once(again.child, 'exit');
    await shell(line);
    expect(await ended).toEqual([7, null]);
    const healthy = await listening('healthy', port);
    expect(await shell(line)).toContain('{"prompts":[]}');
    expect(healthy.child.exitCode).toBeNull();
  });
});

describe('the line that repeats the silence of a server', () => {
  test('over stdio sends the request that stays without an answer', async () => {
    const line = lineOf(await stopped({ command: [process.execPath, PROGRAM, 'silent'] }));
    expect(line).toContain('"method":"prompts/list"');
    const shown = await shell(line);
    expect(shown).toContain('"serverInfo"');
    expect(shown).not.toContain('"prompts":[]');
    expect(await shell(line.replace(' silent', ' healthy'))).toContain('"prompts":[]');
  });

  test('over HTTP waits for the answer in vain', async () => {
    const { port, child } = await listening('silent');
    const line = lineOf(await stopped({ url: `http://127.0.0.1:${port}/mcp` })).replaceAll('-m 10', '-m 2');
    expect(line).toContain('"method":"prompts/list"');
    expect(await shell(line)).toMatch(/timed out/iu);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await listening('healthy', port);
    expect(await shell(line)).toContain('{"prompts":[]}');
  });
});
