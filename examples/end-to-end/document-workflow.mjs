// initialize → tools/list → convert → verify: a document becomes Markdown with its headings and tables.
import { readFile } from 'node:fs/promises';
import { step, textOf, withClient } from './hub.mjs';

const documentFile = new URL('quarterly-report.docx', import.meta.url);

await withClient('/servers/documents/mcp', async (client) => {
  step('connected', client.getServerVersion() !== undefined, 'the server did not say who it is');

  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  step('convert_document is offered', names.includes('convert_document'), names);

  const formats = textOf(await client.callTool({ name: 'get_supported_formats', arguments: {} }));
  step('DOCX is among the formats', formats.includes('docx'), formats);

  const content = (await readFile(documentFile)).toString('base64');
  const markdown = textOf(
    await client.callTool({
      name: 'convert_document',
      arguments: { content, format: 'docx', output_format: 'markdown' },
    }),
  );
  step('the heading is there', /^# Quarterly report$/mu.test(markdown), markdown);
  step('the table is there', /\|\s*Region\s*\|\s*Revenue\s*\|/u.test(markdown), markdown);
});
