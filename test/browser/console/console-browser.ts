import chromium from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium as playwright, type Page } from 'playwright-core';

const PATIENCE_MS = 20_000;

/** One process for all would take the browser down with the first page that closes; the others switch protections off. */
const UNWANTED: ReadonlySet<string> = new Set([
  '--single-process',
  '--disable-web-security',
  '--disable-site-isolation-trials',
  '--allow-running-insecure-content',
]);

export const launchBrowser = async (): Promise<Browser> =>
  playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args.filter((arg) => !UNWANTED.has(arg)), '--no-sandbox'],
  });

/** What a page must not do: throw, break its policy, or print errors. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: string[];
}

export const watchedPage = async (browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> => {
  // Without it, the browser takes the language of the process, which may be none that a page understands.
  const page = await browser.newPage({ locale: 'en-US', ...options });
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on('console', (message) => {
    // The browser itself remarks on every status that is no success, and on a hub that is away.
    const expected = /Failed to load resource/u.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !expected) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
};

export interface SignInTarget {
  readonly url: string;
  readonly key: string;
}

/** Opens the console and signs in with a key, as a person does. */
export const signIn = async (page: Page, { url, key }: SignInTarget): Promise<void> => {
  await page.goto(url);
  await page.getByLabel('Key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page
    .getByRole('navigation', { name: 'Pages' })
    .or(page.getByRole('button', { name: 'Menu' }))
    .waitFor();
};

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact?: string | null;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** What is seriously wrong with the page as it is now: rules of WCAG 2.2 AA that it breaks, and content beside the screen. */
export const flawsOf = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(`window.axe === undefined && (() => { ${axe.source} })()`);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const result = (await page.evaluate(
    `axe.run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(tags)} }, resultTypes: ['violations'] })`,
  )) as AxeResult;
  const [content, width] = (await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )) as [number, number];
  return [
    ...result.violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`)),
    ...(content > width ? [`The page is ${content} px wide, the screen ${width}.`] : []),
  ];
};
