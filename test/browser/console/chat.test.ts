import type { ServerView, Toolset } from '@plugboard/contract';
import { fakeServerCommand } from '@plugboard/testing';
import { DOUBLE_KEY, llmDouble, type LlmDouble } from '@plugboard/testing/llm';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { flawsOf, launchBrowser, signIn, watchedPage } from './console-browser.js';

const HTML = `<img src=x onerror="window.ran='html'">`;

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const MARKDOWN = `# Findings

A **bold** word, \`code\`, [a page](https://example.com/a), [a trap](javascript:window.ran='link') and [a place](#/keys).

| Region | Revenue |
| --- | ---: |
| North | 1200 |

1. first
2. second

\`\`\`js
const safe = "<b>";
\`\`\`

![spy](https://tracker.example/pixel.png) ${HTML}<script>window.ran='script'</script>`;

let hub: RealHub;
let double: LlmDouble;
let browser: Browser;
let page: Page;
let complaints: string[];

const message = () => page.getByLabel('Message');
const log = () => page.getByRole('log', { name: 'Conversation' });
const card = (tool: string) => log().getByRole('region', { name: new RegExp(`^Call of .*${tool}`, 'u') });

const ask = async (text: string): Promise<void> => {
  await message().fill(text);
  await message().press('Enter');
};

const answered = (): Promise<void> => page.getByRole('button', { name: 'Send' }).waitFor();

beforeAll(async () => {
  hub = await startRealHub();
  double = await llmDouble();
  browser = await launchBrowser();
  const { command, args } = fakeServerCommand({
    tools: [
      'add',
      {
        name: 'draw',
        inputSchema: { type: 'object', properties: {} },
        annotations: { readOnlyHint: true },
        result: {
          content: [
            { type: 'image', mimeType: 'image/png', data: DOT },
            {
              type: 'image',
              mimeType: 'text/html',
              data: Buffer.from(HTML).toString('base64'),
            },
          ],
        },
      },
      {
        name: 'wipe',
        inputSchema: {
          type: 'object',
          properties: { what: { type: 'string' } },
        },
        annotations: { destructiveHint: true },
        handler: 'echo',
      },
    ],
  });
  const config = { mcp_server_type: 'stdio', command, args };
  const server = (
    await hubCall(hub.url, 'POST', '/v1/mcp-servers', {
      server_name: 'desk',
      config,
    })
  ).json as ServerView;
  const entries = [{ server_id: server.id, upstream_name: 'add', name: 'sum_up' }];
  const toolset = (await hubCall(hub.url, 'POST', '/v1/toolsets', { name: 'sums', entries })).json as Toolset;
  await hubCall(hub.url, 'POST', '/v1/agents', {
    name: 'helper',
    server_ids: [server.id],
    toolset_ids: [toolset.id],
    variables: { OPENAI_API_KEY: DOUBLE_KEY },
  });
  ({ page, complaints } = await watchedPage(browser, {
    viewport: { width: 1280, height: 800 },
  }));
  await signIn(page, hub);
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
  await double?.close();
});

it('says what is missing, and the page of an agent sets its model', async () => {
  await page.goto(`${hub.url}/#/chat`);
  await page.getByRole('heading', { name: 'No agent has a model' }).waitFor();
  await page.goto(`${hub.url}/#/agents`);
  await page.getByRole('link', { name: /helper/u }).click();
  await page.getByRole('tab', { name: 'Model' }).click();
  await page.getByRole('button', { name: 'Save model' }).click();
  await page.getByText('Name the model').waitFor();
  await page.getByLabel('Provider').selectOption('openai');
  await page.getByRole('textbox', { name: 'Model' }).fill('gpt-double');
  await page.getByLabel('Base URL').fill(double.openaiUrl);
  await page.getByRole('button', { name: 'Save model' }).click();
  await page.getByRole('link', { name: 'Open the chat' }).click();
  expect(await page.getByRole('combobox', { name: 'Agent' }).textContent()).toContain('helper (gpt-double)');
});

it('streams an answer and shows a call with its arguments, result and duration', async () => {
  double.next({ toolCalls: [{ name: 'add', arguments: { a: 20, b: 22 } }] }, ({ toolResults }) => ({
    text: `${HTML} makes ${toolResults.join()}`,
  }));
  await ask('What is 20 + 22?');
  await log().getByText('makes').waitFor();
  await answered();
  await card('add').getByText('answered').waitFor();
  expect(await card('add').textContent()).toMatch(/\d (?:ms|µs|s)/u);
  await card('add').getByText('Result').click();
  await card('add').getByText('42').first().waitFor();
  expect(await flawsOf(page)).toEqual([]);
});

it('formats an answer, and runs, loads and follows nothing of it', async () => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(hub.url) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  double.next({ text: MARKDOWN });
  await ask('What did you find?');
  await answered();
  await log().getByRole('heading', { name: 'Findings' }).waitFor();
  await log().getByRole('cell', { name: '1200' }).waitFor();
  expect(await log().locator('ol > li').allTextContents()).toEqual(['first', 'second']);
  expect(await log().locator('pre').last().textContent()).toContain('const safe = "<b>";');
  const links = log().locator('.markdown a');
  expect(await links.evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href))).toEqual([
    'https://example.com/a',
    'https://tracker.example/pixel.png',
  ]);
  expect(await links.first().getAttribute('rel')).toContain('noopener');
  expect(await log().locator('.markdown img, .markdown script, .markdown [id]').count()).toBe(0);
  expect(await log().textContent()).toContain("<script>window.ran='script'</script>");
  expect(foreign).toEqual([]);
  expect(await flawsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it('shows the pictures of a result, and nothing that only pretends to be one', async () => {
  double.next({ toolCalls: [{ name: 'draw', arguments: {} }] }, { text: 'There it is.' });
  await ask('Draw a dot.');
  await answered();
  const picture = card('draw').getByRole('img');
  await expect.poll(() => picture.count()).toBe(1);
  expect(await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(1);
  expect(await flawsOf(page)).toEqual([]);
});

it('asks before a tool that may destroy something, and follows the decision', async () => {
  const wipe = { toolCalls: [{ name: 'wipe', arguments: { what: HTML } }] };
  const report = ({ toolResults }: { readonly toolResults: readonly string[] }) => ({
    text: `So: ${toolResults.at(-1)}`,
  });
  double.next(wipe, report, wipe, report, wipe, report);
  await ask('Wipe it.');
  const waiting = card('wipe').last();
  await waiting.getByText('waits for you').waitFor();
  expect(await waiting.textContent()).toContain(HTML.slice(0, 10));
  expect(await flawsOf(page)).toEqual([]);
  await waiting.getByRole('button', { name: 'Reject' }).click();
  await log()
    .getByText(/^So: .*did not allow/u)
    .waitFor();
  await answered();
  await ask('Please.');
  await card('wipe').nth(1).getByRole('button', { name: 'Always allow in this chat' }).click();
  await card('wipe').nth(1).getByText('answered').waitFor();
  await answered();
  await ask('Once more.');
  await card('wipe').nth(2).getByText('answered').waitFor();
  await answered();
  // The hub keeps no conversation: the model is told everything again, calls and results included.
  const sent = JSON.stringify(double.requests.at(-1)?.body);
  for (const part of ['What is 20 + 22?', 'Wipe it.', 'did not allow', 'Once more.']) expect(sent).toContain(part);
});

it('stops an answer, and goes on after it', async () => {
  double.next({ fault: 'hang' });
  await ask('Think for ever.');
  await page.getByRole('button', { name: 'Stop' }).click();
  await log().getByText('Stopped.').waitFor();
  double.next({ text: 'Here again.' });
  await ask('Still there?');
  await log().getByText('Here again.').waitFor();
  await answered();
  expect(JSON.stringify(double.requests.at(-1)?.body)).toContain('Think for ever.');
});

it('gives the agent one toolset only, and says why a provider refused', async () => {
  await page.getByRole('button', { name: 'New conversation' }).click();
  await page.getByRole('combobox', { name: 'Toolset' }).selectOption('sums');
  double.next({ text: 'One tool.' });
  await ask('What do you have?');
  await log().getByText('One tool.').waitFor();
  await answered();
  const sent = JSON.stringify(double.requests.at(-1)?.body);
  expect(sent).toContain('sum_up');
  expect(sent).not.toContain('wipe');
  double.next({ fault: { status: 401 } });
  await ask('And now?');
  await log().getByRole('alert').waitFor();
});

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const)('is accessible with a conversation in it, %s, %d px wide', async (colorScheme, width) => {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
  expect(await flawsOf(page)).toEqual([]);
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(complaints).toEqual([]);
});
