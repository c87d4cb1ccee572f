import { fakeServerCommand } from '@plugboard/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { launchBrowser, signIn, watchedPage } from './console-browser.js';

let hub: RealHub;
let browser: Browser;
let page: Page;
let complaints: string[];
let id: string;

beforeAll(async () => {
  hub = await startRealHub();
  browser = await launchBrowser();
  const { command, args } = fakeServerCommand({ tools: ['echo'] });
  const { json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', {
    server_name: 'everyday',
    config: { mcp_server_type: 'stdio', command, args },
  });
  ({ id } = json as { readonly id: string });
  ({ page, complaints } = await watchedPage(browser, { viewport: { width: 1280, height: 800 } }));
  await signIn(page, hub);
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
});

const RUN_MS = 60_000;

/** Something to delete, and the page that shows it. */
const make = async (
  kind: 'server' | 'toolset' | 'agent' | 'check' | 'benchmark',
): Promise<{ readonly id: string; readonly address: string; readonly heading: string }> => {
  const post = async (path: string, body: object): Promise<string> =>
    ((await hubCall(hub.url, 'POST', path, body)).json as { readonly id: string }).id;
  const finished = async (path: string): Promise<void> =>
    await expect
      .poll(async () => ((await hubCall(hub.url, 'GET', path)).json as { state: string }).state, { timeout: RUN_MS })
      .toBe('finished');
  switch (kind) {
    case 'server': {
      const { command, args } = fakeServerCommand({ tools: ['echo'] });
      const made = await post('/v1/mcp-servers', {
        server_name: 'doomed',
        config: { mcp_server_type: 'stdio', command, args },
      });
      return { id: made, address: `/servers/${made}`, heading: 'doomed' };
    }
    case 'toolset': {
      const made = await post('/v1/toolsets', { name: 'doomed-set' });
      return { id: made, address: `/toolsets/${made}`, heading: 'doomed-set' };
    }
    case 'agent': {
      const made = await post('/v1/agents', { name: 'doomed-agent' });
      return { id: made, address: `/agents/${made}`, heading: 'doomed-agent' };
    }
    case 'check': {
      const made = await post('/v1/checks', { name: 'everyday', tier: 'smoke', suites: ['lifecycle'] });
      await finished(`/v1/checks/${made}`);
      return { id: made, address: `/checks/${made}`, heading: 'Check of everyday' };
    }
    case 'benchmark': {
      const made = await post('/v1/benchmarks', { name: id, seconds: 1, rate: 5, concurrency: 1 });
      await finished(`/v1/benchmarks/${made}`);
      return { id: made, address: `/benchmarks/${made}`, heading: 'Benchmark of everyday' };
    }
    default:
      return kind satisfies never;
  }
};

const button = (name: string) => page.getByRole('button', { name, exact: true });
const focused = (name: string): Promise<void> => button(name).and(page.locator(':focus')).waitFor();

it('a dialog that is closed with the keyboard gives the focus back to what opened it', async () => {
  await page.goto(`${hub.url}/#/servers/${id}`);
  await button('Delete').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor();
  await page.keyboard.press('Escape');
  await focused('Delete');
  await page.goto(`${hub.url}/#/keys`);
  await button('Create key').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await focused('Create key');
  await page.getByRole('button', { name: /^Go to…/u }).focus();
  await page.keyboard.press('Enter');
  await page.getByPlaceholder(/^Go to a page/u).waitFor();
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^Go to…/u })
    .and(page.locator(':focus'))
    .waitFor();
  expect(complaints).toEqual([]);
});

it('a button that works keeps the focus, and ignores a second press', async () => {
  let syncs = 0;
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/sync*', async (route) => {
    syncs += 1;
    await held;
    await route.continue();
  });
  await page.goto(`${hub.url}/#/servers/${id}`);
  await button('Sync').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => button('Sync').getAttribute('aria-busy')).toBe('true');
  await focused('Sync');
  await page.keyboard.press('Enter');
  release();
  await expect.poll(() => button('Sync').getAttribute('aria-busy')).toBe('false');
  await focused('Sync');
  expect(syncs).toBe(1);
  await page.unroute('**/sync*');
});

const REFUSAL = {
  status: 503,
  json: { error: { code: 'STORE_UNAVAILABLE', message: 'The store does not answer.', hint: 'Try again.' } },
};

/** Deletes with the keyboard, and confirms it. */
const remove = async (kind: string): Promise<void> => {
  await button('Delete').focus();
  await page.keyboard.press('Enter');
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: `Delete ${kind}` })
    .click();
};

it.each([
  ['server', '/v1/mcp-servers', 'Servers'],
  ['toolset', '/v1/toolsets', 'Toolsets'],
  ['agent', '/v1/agents', 'Agents'],
  ['check', '/v1/checks', 'Checks'],
  ['benchmark', '/v1/benchmarks', 'Benchmarks'],
] as const)(
  'a deletion that fails says so and leaves the %s with its page; the next one deletes it',
  async (kind, path, list) => {
    const { id: thing, address, heading } = await make(kind);
    const requests = `**${path}/${thing}`;
    await page.route(requests, (route) =>
      route.request().method() === 'DELETE' ? route.fulfill(REFUSAL) : route.continue(),
    );
    await page.goto(`${hub.url}/#${address}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await remove(kind);
    await page.getByText('The store does not answer.').first().waitFor();
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await focused('Delete');
    expect((await hubCall(hub.url, 'GET', `${path}/${thing}`)).status).toBe(200);
    await page.unroute(requests);
    await remove(kind);
    await page.getByRole('heading', { level: 1, name: list, exact: true }).waitFor();
    await page.locator('#main:focus').waitFor();
    expect((await hubCall(hub.url, 'GET', `${path}/${thing}`)).status).toBe(404);
    expect(complaints).toEqual([]);
  },
);
