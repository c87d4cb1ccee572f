import { fakeServer, type FakeServer } from '@plugboard/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { npmServerProgram } from '../../support/npm-server.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { flawsOf, launchBrowser, signIn, watchedPage } from './console-browser.js';

const HTML = `<img src=x onerror="window.ran='html'"><script>window.ran='script'</script>`;

/** Lists of objects, alternatives, fixed and preset values. */
const TRIP = {
  name: 'trip',
  description: 'Plans a trip.',
  inputSchema: {
    type: 'object',
    required: ['class', 'travellers'],
    properties: {
      class: { type: 'string', enum: ['economy', 'business'], default: 'economy' },
      travellers: {
        type: 'array',
        minItems: 1,
        items: { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } },
      },
      payment: {
        oneOf: [
          { type: 'object', properties: { kind: { const: 'card' }, number: { type: 'string' } } },
          { type: 'object', properties: { kind: { const: 'invoice' }, company: { type: 'string' } } },
        ],
      },
    },
  },
  handler: (args: Readonly<Record<string, unknown>>) => JSON.stringify(args),
};

/** Its answers do not fit what it declares. */
const BOOK = {
  name: 'book',
  description: 'Books a room.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' }, api_key: { type: 'string' } } },
  outputSchema: { type: 'object', properties: { nights: { type: 'integer' } } },
  handler: () => ({ content: [{ type: 'text', text: 'Booked.' }], structuredContent: { nights: 'two' } }),
};

let hub: RealHub;
let browser: Browser;
let page: Page;
let complaints: string[];
let server: FakeServer;
const ids = new Map<string, string>();

const add = async (name: string, config: object): Promise<void> => {
  const { json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: name, config });
  ids.set(name, (json as { readonly id: string }).id);
};

beforeAll(async () => {
  hub = await startRealHub();
  browser = await launchBrowser();
  server = fakeServer({
    tools: ['elicit', 'sample', 'progress', 'log', 'hang', BOOK, TRIP],
    resources: [
      { uri: 'notes:/plain', name: 'plain', text: 'The text of a note.' },
      { uri: 'notes:/trap', name: `${HTML}trap`, description: HTML, mimeType: 'text/html', text: HTML },
    ],
    resourceTemplates: [{ uriTemplate: 'notes:/{year}/{name}', name: 'a note', text: 'Note {name} of {year}.' }],
    prompts: [
      { name: 'greet', description: HTML, arguments: [{ name: 'who', required: true }], text: `Greet {who}. ${HTML}` },
    ],
    completions: { who: ['Ada', 'Alan'] },
  });
  const { url } = await server.listenHttp();
  await add('asking', { mcp_server_type: 'streamable_http', server_url: url });
  await add('everything', {
    mcp_server_type: 'stdio',
    command: process.execPath,
    args: [npmServerProgram('everything')],
  });
  ({ page, complaints } = await watchedPage(browser, { viewport: { width: 1280, height: 800 } }));
  await signIn(page, hub);
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
  await server?.[Symbol.asyncDispose]();
});

const openTool = async (name: string): Promise<void> => {
  await page.goto(`${hub.url}/#/tools`);
  await page.getByLabel('Search tools').fill(name);
  await page.getByRole('link', { name: new RegExp(`^${name}`, 'u') }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
};

const result = () => page.getByRole('region', { name: 'Result' });

it('answers what a server asks the user: once with a form, once not at all', async () => {
  await openTool('elicit');
  await page.getByLabel('rounds').fill('2');
  await page.getByRole('button', { name: 'Run' }).click();
  const dialog = page.getByRole('dialog', { name: 'The server asks you' });
  await dialog.getByText('What is your name?').waitFor();
  await dialog.getByLabel('name*').fill('Ada');
  expect(await flawsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await dialog.getByLabel('name*').and(page.locator('[value=""]')).waitFor();
  await page.keyboard.press('Escape');
  await result().getByText('Answered in').waitFor();
  const text = await result().textContent();
  expect(text).toContain('{"action":"accept","content":{"name":"Ada"}}');
  expect(text).toContain('{"action":"cancel"}');
});

it('answers what a server asks a model, and tells it when nobody wants to', async () => {
  await openTool('sample');
  await page.getByLabel('prompt').fill('Which city?');
  await page.getByRole('button', { name: 'Run' }).click();
  const dialog = page.getByRole('dialog', { name: 'The server asks a model' });
  await dialog.getByText('Which city?').waitFor();
  await dialog.getByLabel('The answer of the model').fill('Oslo');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await result().getByText('Answered in').waitFor();
  expect(await result().textContent()).toContain('Oslo');
  await page.getByRole('button', { name: 'Run' }).click();
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await result()
    .getByText(/reject/iu)
    .first()
    .waitFor();
});

it('shows progress and log messages while a tool runs, and cancels it', async () => {
  await openTool('progress');
  await page.getByLabel('steps').fill('2');
  await page.getByLabel('ms').fill('60000');
  await page.getByRole('button', { name: 'Run' }).click();
  await result().getByText('step 1').waitFor();
  expect(await flawsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await result().getByText('You cancelled the call.').waitFor();
  await openTool('log');
  await page.getByLabel('level').fill('debug');
  await page.getByLabel('message').fill('from the server');
  await page.getByRole('button', { name: 'Run' }).click();
  await result().getByText('debug: from the server').waitFor();
});

it('fills in lists, alternatives and preset values with a form that everybody can use', async () => {
  await openTool('trip');
  await page.getByLabel('name*').fill('Ada');
  const flaws: string[] = [];
  for (const [colorScheme, width] of [
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
    ['light', 1280],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    flaws.push(...(await flawsOf(page)));
  }
  expect(flaws).toEqual([]);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('name*').nth(1).fill('Alan');
  await page.getByLabel('class*').selectOption('business');
  await page.getByLabel('Kind of value').selectOption('kind: invoice');
  await page.getByLabel('company').fill('Acme');
  await page.getByRole('button', { name: 'Run' }).click();
  await result().getByText('Answered in').waitFor();
  const text = await result().textContent();
  for (const part of ['"class":"business"', '[{"name":"Ada"},{"name":"Alan"}]', '"company":"Acme"']) {
    expect(text).toContain(part);
  }
});

it('shows what a server tells its clients when they connect', async () => {
  await page.goto(`${hub.url}/#/servers/${ids.get('everything')}/facts`);
  await page.getByText('Capabilities and instructions').click();
  await page.getByText('Instructions for models').waitFor();
  await page.getByText('tools').first().waitFor();
  await page.getByText('The whole answer to initialize').click();
  await page.getByText('"protocolVersion"').waitFor();
  expect(await flawsOf(page)).toEqual([]);
});

it('shows the messages of the protocol that a call consisted of', async () => {
  await openTool('log');
  await page.getByLabel('level').fill('info');
  await page.getByLabel('message').fill('on the wire');
  await page.getByRole('button', { name: 'Run' }).click();
  await result().getByText('Answered in').waitFor();
  await page.getByText(/^JSON-RPC messages \(\d+\)$/u).click();
  const messages = page.getByRole('list', { name: 'JSON-RPC messages' });
  await messages.getByText(/tools\/call #\d+/u).click();
  await messages.getByText('"name": "log"').waitFor();
  await messages.getByText(/notifications\/message/u).waitFor();
  await messages
    .getByText(/answer to #\d+/u)
    .last()
    .click();
  await messages.getByText('"content": [').waitFor();
  expect(await flawsOf(page)).toEqual([]);
});

it('remembers calls beyond a reload, without secrets, until somebody clears them or signs out', async () => {
  const other = await watchedPage(browser, { viewport: { width: 1280, height: 800 } });
  const visit = other.page;
  await signIn(visit, hub);
  const open = async (): Promise<void> => {
    await visit.goto('about:blank');
    await visit.goto(`${hub.url}/#/tools`);
    await visit.getByLabel('Search tools').fill('book');
    await visit.getByRole('link', { name: /^book/u }).click();
    await visit.getByLabel('city').waitFor();
  };
  const history = visit.getByRole('list', { name: 'History' });
  const run = async (city: string): Promise<void> => {
    await visit.getByLabel('city').fill(city);
    await visit.getByLabel('api_key').fill('canary-4711');
    await visit.getByRole('button', { name: 'Run' }).click();
    await history.getByText(`"city":"${city}"`).waitFor();
  };
  await open();
  await run('Oslo');
  await visit.getByText('It breaks the output schema of the tool: 1 problem').waitFor();
  await visit.getByText(/^nights: The value type/u).waitFor();
  expect(await flawsOf(visit)).toEqual([]);
  await open();
  await history.getByText('"city":"Oslo"').waitFor();
  expect(await visit.evaluate('JSON.stringify(localStorage)')).not.toContain('canary-4711');
  await history.getByRole('button', { name: 'Fill in' }).click();
  await visit.getByText('Fill in api_key').waitFor();
  expect(await visit.getByLabel('city').inputValue()).toBe('Oslo');
  expect(await visit.getByLabel('api_key').inputValue()).toBe('');
  expect(await flawsOf(visit)).toEqual([]);
  await visit.getByRole('button', { name: 'Clear', exact: true }).click();
  await history.waitFor({ state: 'detached' });
  await open();
  expect(await history.count()).toBe(0);
  await run('Bergen');
  await visit.getByRole('button', { name: 'Sign out' }).click();
  await visit.getByLabel('Key', { exact: true }).waitFor();
  expect(await visit.evaluate('JSON.stringify(localStorage)')).not.toContain('Bergen');
  expect(other.complaints).toEqual([]);
  await visit.close();
});

it('browses resources, templates and prompts, and shows hostile ones as text', async () => {
  await page.goto(`${hub.url}/#/resources/${ids.get('asking')}`);
  await page.getByRole('button', { name: /plain/u }).click();
  await result().getByText('The text of a note.').waitFor();
  await page.getByRole('button', { name: /trap/u }).click();
  await result().getByText('<script>').waitFor();
  await page.getByRole('tab', { name: 'Templates 1' }).click();
  await page.getByRole('button', { name: /a note/u }).click();
  await page.getByLabel('year').fill('2026');
  await page.getByLabel('name', { exact: true }).fill('first one');
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  // The address is shown once above the result, and once in it.
  await page.getByText('notes:/2026/first%20one', { exact: true }).first().waitFor();
  await result().getByText('of 2026.').waitFor();
  await page.getByRole('tab', { name: 'Prompts 1' }).click();
  await page.getByRole('button', { name: /greet/u }).click();
  await page.getByLabel('who (required)').fill('A');
  await expect.poll(() => page.locator('datalist option').count()).toBe(2);
  await page.getByLabel('who (required)').fill('Ada');
  await page.getByRole('button', { name: 'Get messages' }).click();
  await result().getByText('Greet Ada.').waitFor();
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(complaints).toEqual([]);
});

it('reads what a server from npm offers, accessibly, also in the dark and on a phone', async () => {
  await page.goto(`${hub.url}/#/resources`);
  await page.getByRole('heading', { level: 1, name: 'Resources' }).waitFor();
  await page.getByLabel('Server', { exact: true }).selectOption('everything');
  await page.getByRole('list', { name: 'All resources' }).getByRole('button').first().click();
  await result().getByText('Answered in').waitFor();
  const flaws = [...(await flawsOf(page))];
  await page.getByRole('tab', { name: /^Prompts/u }).click();
  await page.getByRole('button', { name: /simple/iu }).click();
  await page.getByRole('button', { name: 'Get messages' }).click();
  await result().getByText('user').first().waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 360, height: 800 });
  flaws.push(...(await flawsOf(page)));
  expect(flaws).toEqual([]);
});

it('a click on Run before the form is loaded holds until it is there', async () => {
  const early = await watchedPage(browser);
  await signIn(early.page, hub);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await early.page.route(/schema-form/u, async (route) => {
    await held;
    await route.continue();
  });
  await early.page.goto(`${hub.url}/#/tools`);
  await early.page.getByLabel('Search tools').fill('progress');
  await early.page.getByRole('link', { name: /^progress/u }).click();
  const run = early.page.getByRole('button', { name: 'Run' });
  await run.click();
  expect(await run.getAttribute('aria-busy')).toBe('true');
  release();
  await early.page.getByRole('region', { name: 'Result' }).getByText('Answered in').waitFor();
  expect(early.complaints).toEqual([]);
  await early.page.close();
});
