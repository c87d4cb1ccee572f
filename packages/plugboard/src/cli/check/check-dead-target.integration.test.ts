import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkReport, type CheckReport } from '@plugboard/contract';
import { deadPort, fakeServer, fakeServerCommand } from '@plugboard/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'plugboard-check-'));
});
afterEach(() => rm(cwd, { recursive: true }));

const check = (...argv: readonly string[]) => runFake(['--home', cwd, 'check', ...argv], {}, { cwd });

/** A server behind HTTP that goes away for good when it gets this many requests, or one that says this. */
const mortal = async (dies: (body: string, count: number) => boolean): Promise<string> => {
  const server = fakeServer({ tools: ['echo'] });
  const behind = new URL((await server.listenHttp()).url);
  let count = 0;
  const front: Server = createServer((asked, answer) => {
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.on('end', () => {
      const body = Buffer.concat(chunks);
      count += 1;
      if (dies(body.toString('utf8'), count)) {
        front.close();
        front.closeAllConnections();
        return;
      }
      const passed = request(
        { port: behind.port, host: behind.hostname, path: asked.url, method: asked.method, headers: asked.headers },
        (reply) => {
          answer.writeHead(reply.statusCode ?? 502, reply.headers);
          reply.pipe(answer);
        },
      );
      passed.on('error', () => answer.destroy());
      answer.on('close', () => passed.destroy());
      passed.end(body);
    });
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    front.close();
    front.closeAllConnections();
    await server.close();
  });
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}${behind.pathname}`;
};

const failures = ({ results }: CheckReport) => results.filter(({ verdict }) => verdict === 'fail');

describe('check of a server that dies', () => {
  it('over HTTP in the middle of the run: it fails, names the last request, and has no percentage', async () => {
    const url = await mortal((_body, count) => count > 25);
    const { code, json } = await check(url, '--json', '--suite', 'lifecycle', '--suite', 'json-rpc');
    const report = checkReport.parse(json());
    expect([report.outcome, code]).toEqual(['failed', 1]);
    expect(failures(report).map(({ id }) => id)).toEqual(['LIF-29']);
    expect(failures(report)[0]?.evidence?.sent).toContain('/mcp HTTP/1.1');
    expect(failures(report)[0]?.evidence?.reproduce).toContain('curl ');
    expect(report.summary.rate).toBeNull();
  });

  it('of one request: this request is the one that is named', async () => {
    const url = await mortal((body) => body.includes('"ping"'));
    const { code, stdout } = await check(url, '--only', 'LIF-01', '--only', 'LIF-27', '--era', 'legacy');
    expect(code).toBe(1);
    expect(stdout).toContain('LIF-29');
    expect(stdout).toMatch(/"method":"ping"/u);
    expect(stdout).not.toContain('%');
  });

  it('at the end of the run, when no check notices', async () => {
    const url = await mortal((_body, count) => count > 4);
    const { code } = await check(url, '--only', 'LIF-01', '--era', 'legacy');
    expect(code).toBe(1);
  });

  it('over stdio: the exit code, the last line and a line of shell; the rest is judged on a new process', async () => {
    const { command, args } = fakeServerCommand({
      tools: ['echo'],
      script: [{ on: 'ping', fault: { crash: 'after-read' } }],
    });
    const { code, json } = await check(
      '--json',
      '--only',
      'LIF-01',
      '--only',
      'LIF-27',
      '--only',
      'RPC-02',
      '--',
      command,
      ...args,
    );
    expect(code).toBe(1);
    const report = checkReport.parse(json());
    const [death, ...others] = failures(report);
    expect(others).toEqual([]);
    expect(death).toMatchObject({
      id: 'LIF-29',
      // Once, however many pings were open: all of them have the same cause.
      detail: expect.stringMatching(/ended by signal SIGKILL\.(?! It happened)/u) as string,
    });
    expect(death?.evidence?.sent).toContain('"method":"ping"');
    expect(death?.evidence?.reproduce).toContain('"method":"ping"');
    expect(report.results.find(({ id }) => id === 'LIF-01')?.verdict).toBe('pass');
  });
});

describe('check of what can hardly be judged', () => {
  it('is incomplete, with an exit code of its own and no percentage', async () => {
    const server = fakeServer({ tools: ['counter'], requireHeaders: { authorization: 'Bearer x' } });
    onTestFinished(() => server.close());
    const { url } = await server.listenHttp();
    const { code, stdout } = await check(url, '--suite', 'lifecycle');
    expect(stdout).toContain('incomplete');
    expect(stdout).not.toContain('%');
    expect(code).toBe(6);
  });

  it('is unreachable when nobody listens, without a percentage', async () => {
    const { url } = await deadPort();
    const { code, stdout } = await check(url);
    expect(code).toBe(4);
    expect(stdout).toContain('cannot be reached');
    expect(stdout).not.toContain('%');
  });
});
