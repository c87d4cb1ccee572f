import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { checkReport, type CheckRun, type CheckRunEvent } from '@plugboard/contract';
import { fakeServer, httpDouble, referenceServer, type MutantServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventMessages } from '../../../packages/plugboard/src/hub-api/event-messages.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { ownerFetch } from '../../support/hub-keys.js';

const TOKEN = 'canary-token-of-the-hub-4711';
const ONLY = ['LIF-01', 'LIF-27', 'TOL-01'];
let hub: RealHub;
let server: MutantServer;
let url = '';
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugboard-checks-'));
  server = referenceServer('legacy');
  url = (await server.listenHttp()).url;
  hub = await startRealHub({ settings: { stdio: { mode: 'allow-list', commands: [process.execPath] } } });
});
afterAll(async () => {
  await hub.close();
  await server.close();
  await rm(folder, { recursive: true });
});

const call = async (method: string, path: string, body?: unknown): Promise<{ status: number; json: never }> => {
  const answer = await ownerFetch(hub.url + path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await answer.text();
  return { status: answer.status, json: (text === '' ? null : JSON.parse(text)) as never };
};

const start = async (target: object): Promise<CheckRun> => {
  const { status, json } = await call('POST', '/v1/checks', target);
  expect(json).toMatchObject({ id: expect.any(String) as unknown });
  expect(status).toBe(202);
  return json;
};

const follow = async (id: string, after?: number): Promise<readonly CheckRunEvent[]> => {
  const headers = after === undefined ? {} : { 'last-event-id': String(after) };
  const { body } = await ownerFetch(`${hub.url}/v1/checks/${id}/events`, { headers });
  const events: CheckRunEvent[] = [];
  if (body !== null) for await (const event of eventMessages(body)) events.push(event as CheckRunEvent);
  return events;
};

const names = (events: readonly CheckRunEvent[]): readonly string[] => events.map(({ event }) => event);

/** A program that never answers, and writes down who it is. */
const silent = (name: string) => {
  const file = join(folder, name);
  const program = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000);`;
  return { file, target: { command: [process.execPath, '-e', program], budgets: { startMs: 60_000 } } };
};

const appears = async (file: string): Promise<number> => {
  const signal = AbortSignal.timeout(20_000);
  while (!existsSync(file) || (await readFile(file, 'utf8')) === '') await delay(20, undefined, { signal });
  return Number(await readFile(file, 'utf8'));
};

const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a run of the referee over the API', () => {
  it('tells how it goes, can be read again from any event on, and is kept', async () => {
    const run = await start({ url, only: ONLY, seed: 7 });
    const events = await follow(run.id);
    expect(names(events)).toEqual([
      'check_run_queued',
      'check_run_started',
      'check_run_reached',
      ...ONLY.map(() => 'check_judged'),
      'check_run_finished',
    ]);
    expect(await follow(run.id, 3)).toEqual(events.slice(3));
    expect(await follow(run.id, events.length)).toEqual([]);
    const { json } = await call('GET', `/v1/checks/${run.id}`);
    expect(json).toMatchObject({ state: 'finished', outcome: 'passed', done: 3, planned: 3 });
    expect((await call('GET', '/v1/checks?limit=1')).json).toMatchObject([{ id: run.id }]);
    const report = checkReport.parse((await call('GET', `/v1/checks/${run.id}/report`)).json);
    expect(report.results.map(({ id }) => id)).toEqual(ONLY);
    expect(report.seed).toBe(7);
  });

  it.each([
    ['json', 'application/json', '"plugboard.check/1"'],
    ['markdown', 'text/markdown; charset=utf-8', '| total |'],
    ['summary', 'text/markdown; charset=utf-8', '| total |'],
    ['junit', 'application/xml; charset=utf-8', '<testsuites'],
    ['sarif', 'application/sarif+json', '"2.1.0"'],
    ['html', 'text/html; charset=utf-8', '<!doctype html>'],
    ['badge', 'image/svg+xml', '<svg'],
  ])('is written as %s', async (format, type, words) => {
    const [run] = (await call('GET', '/v1/checks')).json as readonly CheckRun[];
    const answer = await ownerFetch(`${hub.url}/v1/checks/${run?.id ?? ''}/report?format=${format}`);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect((await answer.text()).toLowerCase()).toContain(words.toLowerCase());
  });

  it('examines a registered server with the credentials of the hub, which nobody sees', async () => {
    await using inner = fakeServer({ tools: ['echo'] });
    inner.script.on('ping').always().respondResult({ pong: true });
    const { url: server_url } = await inner.listenHttp();
    const config = { mcp_server_type: 'streamable_http', server_url, auth_token: TOKEN };
    const { json: registered } = await call('POST', '/v1/mcp-servers', { server_name: 'guarded', config });
    const { id } = registered as { id: string };
    const before = inner.log.entries.length;
    const run = await start({ name: 'guarded', only: ['LIF-01', 'LIF-27'] });
    const events = await follow(run.id);
    expect(events.at(-1)).toMatchObject({ run: { target: { label: 'guarded' }, outcome: 'failed', server_id: id } });
    const sent = inner.log.entries.slice(before).map(({ headers }) => headers['authorization']);
    expect(new Set(sent)).toEqual(new Set([`Bearer ${TOKEN}`]));
    const written = await reports(run.id);
    for (const text of [JSON.stringify(events), ...written]) expect(text).not.toContain(TOKEN);
    expect(written.join()).toContain('[secret]');
    const byId = await start({ name: id, only: ['LIF-01'] });
    expect((await follow(byId.id)).at(-1)).toMatchObject({ run: { outcome: 'passed' } });
  });

  it('shows on the feed of the hub', async () => {
    const reader = new AbortController();
    const { body } = await ownerFetch(`${hub.url}/v1/events`, { signal: reader.signal });
    const run = await start({ url, only: ['LIF-01'] });
    const seen: string[] = [];
    if (body !== null) {
      for await (const event of eventMessages(body)) {
        const { event: name, run_id } = event as { event: string; run_id?: string };
        if (run_id === run.id) seen.push(name);
        if (seen.includes('check_run_finished')) break;
      }
    }
    reader.abort();
    expect(seen).toEqual([
      'check_run_queued',
      'check_run_started',
      'check_run_reached',
      'check_judged',
      'check_run_finished',
    ]);
  });

  it('is cancelled with its processes; others wait for their turn', async () => {
    const [one, two, three] = [silent('one'), silent('two'), silent('three')];
    const runs = [await start(one.target), await start(two.target), await start(three.target)] as const;
    const pids = [await appears(one.file), await appears(two.file)];
    expect((await call('GET', `/v1/checks/${runs[2].id}`)).json).toMatchObject({ state: 'queued' });
    expect(existsSync(three.file)).toBe(false);
    expect(await call('GET', `/v1/checks/${runs[0].id}/report`)).toMatchObject({ status: 409 });
    expect((await call('POST', `/v1/checks/${runs[2].id}/cancel`)).json).toMatchObject({
      state: 'finished',
      outcome: 'not-examined',
      reason: 'The run was cancelled.',
    });
    expect((await call('POST', `/v1/checks/${runs[0].id}/cancel`)).json).toMatchObject({ state: 'finished' });
    expect(await call('DELETE', `/v1/checks/${runs[1].id}`)).toMatchObject({ status: 204 });
    expect(pids.filter(lives)).toEqual([]);
    expect(existsSync(three.file)).toBe(false);
    expect(await call('GET', `/v1/checks/${runs[1].id}`)).toMatchObject({ status: 404 });
    expect(names(await follow(runs[2].id))).toEqual(['check_run_queued', 'check_run_finished']);
  });

  it.each([
    ['an address inside', { url: 'http://10.0.0.1/mcp' }, 400, 'URL_REFUSED'],
    ['a program that is not on the list', { command: ['sh', '-c', 'true'] }, 400, 'STDIO_DISABLED'],
    [
      'a program for a token',
      { url: 'http://127.0.0.1:1/', auth: { type: 'command', command: ['sh'] } },
      400,
      'STDIO_DISABLED',
    ],
    [
      'a token endpoint inside',
      {
        url: 'http://127.0.0.1:1/',
        auth: { type: 'oauth', client_id: 'a', client_secret: 'b', token_url: 'http://10.0.0.1/' },
      },
      400,
      'URL_REFUSED',
    ],
    [
      'another side inside',
      { url: 'http://127.0.0.1:1/', differential: { url: 'http://10.0.0.1/' } },
      400,
      'URL_REFUSED',
    ],
    ['a server that nobody registered', { name: 'nobody' }, 404, 'SERVER_NOT_FOUND'],
    ['nothing', {}, 400, 'INVALID_ARGUMENT'],
    ['an unknown member', { url: 'http://127.0.0.1:1/', shell: true }, 422, 'VALIDATION_FAILED'],
  ])('is refused for %s', async (_what, target, status, code) => {
    expect(await call('POST', '/v1/checks', target)).toMatchObject({ status, json: { error: { code } } });
  });

  it('does not follow a server to an address that the hub may not reach', async () => {
    await using elsewhere = await httpDouble();
    elsewhere.always({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: 'event: endpoint\ndata: http://10.0.0.1/messages\n\n',
    });
    const run = await start({ url: elsewhere.url, transport: 'sse', only: ['LIF-01'] });
    expect((await follow(run.id)).at(-1)).toMatchObject({
      run: { outcome: 'not-examined', reason: expect.stringContaining('may not') as unknown },
    });
  });

  it.each([
    ['GET', ''],
    ['GET', '/events'],
    ['GET', '/report'],
    ['POST', '/cancel'],
    ['DELETE', ''],
  ])('that does not exist is a 404: %s %s', async (method, rest) => {
    for (const id of ['20260101T000000000Z-0', '..%2F..%2Fsecrets']) {
      expect(await call(method, `/v1/checks/${id}${rest}`)).toMatchObject({ status: 404 });
    }
  });
});

const reports = (id: string): Promise<readonly string[]> =>
  Promise.all(
    ['json', 'markdown', 'junit', 'sarif', 'html', 'badge'].map(async (format) =>
      (await ownerFetch(`${hub.url}/v1/checks/${id}/report?format=${format}`)).text(),
    ),
  );
