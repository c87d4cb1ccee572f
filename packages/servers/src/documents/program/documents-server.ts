import { McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { VERSION } from '../../version.js';
import { URI_PREFIX, type ConvertedStore } from '../store/converted-store.js';
import { convertDocument, type Desk } from '../tool/convert-document.js';
import { convertInput, convertOutput } from '../tool/convert-input.js';
import { formatsOutput, supportedFormats } from '../tool/supported-formats.js';

const INSTRUCTIONS =
  'convert_document turns PDF, Office and OpenDocument files, RTF, EPUB, HTML, notebooks, data and images into Markdown, HTML, JSON or text. ' +
  'Give input_path (inside an allowed directory), content with its format, or a public url. A converted document stays readable for a while as the resource that the answer names.';

const registerConverted = (server: McpServer, store: ConvertedStore): void => {
  // Never listed: callers who share a connection would see each other's. The unguessable name is the right to read one.
  const template = new ResourceTemplate(`${URI_PREFIX}{name}`, { list: undefined });
  const about = {
    title: 'Converted document',
    description: 'A document that was converted before, by the URI that convert_document returned.',
  };
  server.registerResource('converted', template, about, (uri) => {
    const stored = store.get(uri.href);
    if (stored === undefined) throw new ResourceNotFoundError(uri.href);
    return { contents: [{ uri: stored.uri, mimeType: stored.mediaType, text: stored.text }] };
  });
};

/** One connection's view of the documents server; everything it holds is shared through the desk. */
export const makeDocumentsServer = (desk: Desk): McpServer => {
  const server = new McpServer(
    { name: 'documents', title: 'Documents', version: VERSION },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.registerTool(
    'convert_document',
    {
      title: 'Convert a document',
      description:
        'Converts a document to Markdown, HTML, JSON or text and keeps its structure: headings, lists, tables, links, footnotes, formulas, code, reading order. ' +
        'Give exactly one of input_path, content (with format) and url.',
      inputSchema: convertInput,
      outputSchema: convertOutput,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    convertDocument(server, desk),
  );
  server.registerTool(
    'get_supported_formats',
    {
      title: 'List supported formats',
      description: 'Lists the formats that convert_document reads and writes, and its limits.',
      inputSchema: z.strictObject({}),
      outputSchema: formatsOutput,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    () => {
      const structuredContent = supportedFormats(desk.settings);
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent, null, 2) }], structuredContent };
    },
  );
  registerConverted(server, desk.store);
  return server;
};
