// Prints pages to PDF with the Chromium of the browser tests: node print-pdf.mjs <html> <pdf> …
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';

const browser = await playwright.launch({
  executablePath: await chromium.executablePath(),
  args: [...chromium.args.filter((arg) => arg !== '--single-process'), '--no-sandbox'],
});
try {
  const page = await browser.newPage();
  const names = process.argv.slice(2);
  for (let index = 0; index + 1 < names.length; index += 2) {
    await page.goto(pathToFileURL(resolve(names[index])).href);
    await page.pdf({
      path: names[index + 1],
      format: 'A4',
      margin: { top: '2cm', bottom: '2cm', left: '2cm', right: '2cm' },
    });
  }
} finally {
  await browser.close();
}
