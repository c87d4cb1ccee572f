import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../../architecture/source.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { launchBrowser, signIn, watchedPage } from './console-browser.js';

let hub: RealHub;
let browser: Browser;

beforeAll(async () => {
  hub = await startRealHub();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
});

it('npm run dev of the console serves the pages against a hub that runs, and shows a change without a reload', async () => {
  const vite = spawn(process.execPath, ['node_modules/vite/bin/vite.js', 'packages/console', '--port', '0'], {
    cwd: root,
    env: { ...process.env, PLUGBOARD_URL: hub.url, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(vite, 'exit');
  try {
    let output = '';
    vite.stdout.on('data', (chunk) => (output += String(chunk)));
    const address = /http:\/\/[\w.]+:\d+\/console\//u;
    await expect.poll(() => output, { timeout: 60_000 }).toMatch(address);
    const { page, complaints } = await watchedPage(browser);
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await signIn(page, { url: address.exec(output)?.[0] ?? '', key: hub.key });
    await page.getByRole('heading', { level: 1, name: 'Welcome to Plugboard' }).waitFor();
    // A change goes through, with the origin of another port.
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('for a trial');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Copy the key now').waitFor();
    await page.evaluate('window.stays = true');
    await utimes(join(root, 'packages/console/src/keys/keys-page.tsx'), new Date(), new Date());
    await expect.poll(() => said.join('\n'), { timeout: 20_000 }).toContain('hot updated: /src/keys/keys-page.tsx');
    expect(await page.evaluate('window.stays')).toBe(true);
    expect(complaints).toEqual([]);
    await page.close();
  } finally {
    vite.kill('SIGTERM');
    await ended;
  }
});
