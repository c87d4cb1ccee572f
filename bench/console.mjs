// Does the console stay fluid with many servers and tools? `node bench/console.mjs` registers 500 servers with 40 tools each at a
// hub, opens the console in Chromium, and measures: how long each list takes to appear, the frames while it is scrolled, and the
// time from the last key of a search to its results, with the longest task of the page while somebody types.
// Options: --servers 500 --tools 40 --frames 300
import { parseArgs } from 'node:util';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';
import { startBuiltHub } from './support/built-hub.mjs';
import { startDepartments } from './support/department-servers.mjs';

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: '500' },
    tools: { type: 'string', default: '40' },
    frames: { type: 'string', default: '300' },
  },
});
const [servers, toolsPerServer, frames] = [values.servers, values.tools, values.frames].map(Number);
const AT_ONCE = 8;
const KEY_MS = 60;
const STEP_PX = 400;
const REPEATS = 9;

const departments = await startDepartments(toolsPerServer);
const hub = await startBuiltHub();
const nameOf = (server) => `department-${String(server).padStart(3, '0')}`;
const register = (server) =>
  hub.ask('POST', '/v1/mcp-servers', {
    server_name: nameOf(server),
    config: { mcp_server_type: 'streamable_http', server_url: departments.urlOf(server) },
  });
for (let first = 0; first < servers; first += AT_ONCE) {
  const count = Math.min(AT_ONCE, servers - first);
  await Promise.all(Array.from({ length: count }, (_, index) => register(first + index)));
}

const UNWANTED = new Set(['--single-process', '--disable-web-security', '--disable-site-isolation-trials']);
const browser = await playwright.launch({
  executablePath: await chromium.executablePath(),
  args: [...chromium.args.filter((argument) => !UNWANTED.has(argument)), '--no-sandbox'],
});
const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 800 } });
await page.addInitScript(`
  window.tasks = [];
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => window.tasks.push(duration)))
    .observe({ type: 'longtask' });
`);
await page.goto(hub.url);
await page.getByLabel('Key').fill(hub.headers.authorization.replace('Bearer ', ''));
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByRole('heading', { level: 1 }).waitFor();

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

/** Loads the page anew and waits for its first rows. */
const appear = async (path, list) => {
  const times = [];
  for (let count = 0; count < REPEATS; count += 1) {
    await page.goto('about:blank');
    const began = performance.now();
    await page.goto(`${hub.url}/#${path}`);
    await page.getByRole('list', { name: list }).getByRole('link').first().waitFor();
    times.push(performance.now() - began);
  }
  return at(
    times.sort((left, right) => left - right),
    0.5,
  );
};

/** The gaps between frames while a list is scrolled by half a screen in each of them. */
const scroll = async (list) => {
  await page.evaluate('window.tasks = []');
  const gaps = await page.getByRole('list', { name: list }).evaluate(
    (element, { count, step }) =>
      new Promise((resolve) => {
        const found = [];
        let [last, direction] = [performance.now(), 1];
        const frame = (now) => {
          found.push(now - last);
          last = now;
          if (element.scrollTop + element.clientHeight >= element.scrollHeight - 1) direction = -1;
          if (element.scrollTop === 0) direction = 1;
          element.scrollTop += direction * step;
          if (found.length < count) requestAnimationFrame(frame);
          else resolve(found.slice(1));
        };
        requestAnimationFrame(frame);
      }),
    { count: frames, step: STEP_PX },
  );
  gaps.sort((left, right) => left - right);
  const rows = await page.getByRole('list', { name: list }).getByRole('link').count();
  const longest = await page.evaluate('Math.max(0, ...window.tasks)');
  return `frame p50 ${ms(at(gaps, 0.5))}, p95 ${ms(at(gaps, 0.95))}, longest ${ms(gaps.at(-1))}; longest task ${longest === 0 ? 'below 50 ms' : ms(longest)}; ${rows} rows in the page`;
};

/** From the last key to the row that was searched for, on top. */
const search = async (label, list, text, expected) => {
  const times = [];
  await page.evaluate('window.tasks = []');
  for (let count = 0; count < REPEATS; count += 1) {
    await page.getByLabel(label).fill('');
    await page.getByRole('list', { name: list }).getByRole('link').nth(10).waitFor();
    await page.getByLabel(label).pressSequentially(text.slice(0, -1), { delay: KEY_MS });
    const began = performance.now();
    await page.keyboard.press(text.at(-1));
    await page.waitForFunction(
      ([name, wanted]) => {
        const rows = document.querySelectorAll(`[role=list][aria-label="${name}"] a`);
        return rows[0]?.textContent.includes(wanted) ?? false;
      },
      [list, expected],
    );
    times.push(performance.now() - began);
  }
  times.sort((left, right) => left - right);
  const longest = await page.evaluate('Math.max(0, ...window.tasks)');
  return `last key to results p50 ${ms(at(times, 0.5))}, longest ${ms(times.at(-1))}; longest task ${longest === 0 ? 'below 50 ms' : ms(longest)}`;
};

const answered = async (path) => {
  const began = performance.now();
  await hub.ask('GET', path);
  return ms(performance.now() - began);
};

const last = servers - 1;
console.log(`${servers} servers, ${servers * toolsPerServer} tools`);
console.log(`servers: first rows after ${ms(await appear('/servers', 'Servers'))}`);
console.log(`  scrolled: ${await scroll('Servers')}`);
const server = nameOf(last);
console.log(`  filtered: ${await search('Filter servers', 'Servers', server, server)}`);
console.log(
  `tools: a page of 100 from the hub ${await answered('/v1/tools?limit=100')}, again ${await answered('/v1/tools?limit=100')}`,
);
console.log(`  first rows after ${ms(await appear('/tools', 'Tools'))}`);
console.log(`  scrolled: ${await scroll('Tools')}`);
const department = `department ${last}`;
console.log(`  searched: ${await search('Search tools', 'Tools', department, `of ${department}.`)}`);

await browser.close();
await hub.close();
departments.http.close();
departments.http.closeAllConnections();
