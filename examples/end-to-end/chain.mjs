// documents → collections → sandbox: the figures of a document, the answer to a request, and what follows from both.
import { readFile } from 'node:fs/promises';
import { HUB, step, textOf, withClient } from './hub.mjs';

await withClient('/mcp', async (client) => {
  const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    return { text: textOf(result), data: result.structuredContent };
  };

  const content = (await readFile(new URL('quarterly-report.docx', import.meta.url))).toString('base64');
  const { text: markdown } = await call('documents__convert_document', { content, format: 'docx' });
  const figures = [...markdown.matchAll(/^\|\s*(\w+)\s*\|\s*(\d+)\s*\|$/gmu)].map(([, region, revenue]) => ({
    region,
    revenue: Number(revenue),
  }));
  step('documents: three regions were read', figures.length === 3, markdown);

  const { data: known } = await call('collections__list_collections', {});
  const hub = known.collections.find(({ name }) => name === 'Hub');
  step('collections: the collection is known', hub !== undefined, known);
  const { data: run } = await call('collections__run_collection', { collection: hub.id, variables: { hub: HUB } });
  step('collections: every request passed', run.totals.passed === run.totals.requests, run);

  const code = `
    const figures = ${JSON.stringify(figures)};
    const total = figures.reduce((sum, { revenue }) => sum + revenue, 0);
    ({ total, best: figures.sort((a, b) => b.revenue - a.revenue)[0].region, checks: ${run.totals.requests} })`;
  const { data: made } = await call('sandbox__run_code', { code });
  const { total, best, checks } = made.result.value;
  step('sandbox: the total is right', total === 2500 && best === 'North' && checks === 3, made);
});
