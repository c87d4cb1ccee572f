import {
  type CallToolResult,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
  inputRequired,
  inputResponse,
  type ContentBlock,
} from '@modelcontextprotocol/server';
import type { ConverterPool } from '../convert/converter-pool.js';
import type { DocumentsSettings } from './documents-settings.js';
import type { AllowedDirectories } from '../source/allowed-directories.js';
import type { ConvertedStore, StoredDocument } from '../store/converted-store.js';
import type { ConvertInput, ConvertOutput } from './convert-input.js';
import { loadSource } from './load-source.js';
import type { ReportProgress, ConvertedDocument } from '../convert/convert.js';
import { DocumentError } from '../document-error.js';

/** Tells the client how far a conversion is, when it asked to be told. */
const reportProgress = ({ mcpReq }: ServerContext): ReportProgress => {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let last = 0;
  return (done, total) => {
    if (done <= last) return;
    last = done;
    const params = { progressToken, progress: done, total, message: `${done} of ${total}` };
    // A client that left needs no progress.
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
};

/** What all calls share. */
export interface Desk {
  readonly settings: DocumentsSettings;
  readonly directories: AllowedDirectories;
  readonly pool: Pick<ConverterPool, 'convert'>;
  readonly store: ConvertedStore;
}

const INLINE_CHARACTERS = 1_000_000;

/** The answer that holds a converted document: its text, its pictures, and where to read it again. */
const convertedAnswer = (document: ConvertedDocument, stored: StoredDocument): CallToolResult => {
  const truncated = document.text.length > INLINE_CHARACTERS;
  const structuredContent: ConvertOutput = {
    uri: stored.uri,
    format: document.format,
    output_format: document.output,
    title: document.title ?? null,
    pages: document.pages ?? null,
    characters: document.text.length,
    truncated,
    images: document.images.map(({ name }) => name),
    warnings: [...document.warnings],
  };
  const pictures = document.images.map(({ bytes, mediaType }): ContentBlock => ({
    type: 'image',
    data: Buffer.from(bytes).toString('base64'),
    mimeType: mediaType,
  }));
  return {
    content: [
      { type: 'text', text: truncated ? document.text.slice(0, INLINE_CHARACTERS) : document.text },
      ...pictures,
      { type: 'resource_link', uri: stored.uri, name: stored.name, mimeType: stored.mediaType },
    ],
    structuredContent,
  };
};

/** The answer that says why not: a code to act on, a sentence, a hint. */
const refusedAnswer = (error: unknown): CallToolResult => {
  const known = error instanceof DocumentError ? error : new DocumentError('DAMAGED', 'The document cannot be read.');
  const hint = known.hint === undefined ? '' : ` ${known.hint}`;
  return { isError: true, content: [{ type: 'text', text: `${known.code}: ${known.message}${hint}` }] };
};

const perform = async (input: ConvertInput, context: ServerContext, desk: Desk): Promise<CallToolResult> => {
  const { settings, directories, pool, store } = desk;
  const { signal } = context.mcpReq;
  const { bytes, hints } = await loadSource(input, { settings, directories, signal });
  const { output_format: output, tables, images } = input;
  const document = await pool.convert({
    conversion: {
      bytes,
      hints,
      output,
      tables,
      images,
      ocr: input.ocr ? settings.ocr : undefined,
      limits: settings.limits,
    },
    progress: reportProgress(context),
    signal,
    timeoutMs: settings.timeoutMs,
  });
  const stored = store.add(document, hints.fileName);
  return convertedAnswer(document, stored);
};

const KEY = 'roots';

type ClientRoots =
  | { readonly kind: 'none' }
  | { readonly kind: 'ask'; readonly result: InputRequiredResult }
  | { readonly kind: 'known'; readonly uris: readonly string[] };

/** The roots of a client that has some: asked for in the way of its era, known when the call comes again. */
const clientRoots = (server: McpServer, { mcpReq }: ServerContext): ClientRoots => {
  if (server.server.getClientCapabilities()?.roots === undefined) return { kind: 'none' };
  const answer = inputResponse(mcpReq.inputResponses, KEY);
  if (answer.kind === 'roots') return { kind: 'known', uris: answer.roots.map(({ uri }) => uri) };
  return { kind: 'ask', result: inputRequired({ inputRequests: { [KEY]: inputRequired.listRoots() } }) };
};

/** The tool: gets the document, has it converted, keeps the result; every failure is an answer. */
export const convertDocument =
  (server: McpServer, desk: Desk) =>
  async (input: ConvertInput, context: ServerContext): Promise<CallToolResult | InputRequiredResult> => {
    try {
      if (input.input_path === undefined) return await perform(input, context, desk);
      const roots = clientRoots(server, context);
      if (roots.kind === 'ask') return roots.result;
      const directories = roots.kind === 'none' ? desk.directories : await desk.directories.within(roots.uris);
      return await perform(input, context, { ...desk, directories });
    } catch (error) {
      return refusedAnswer(error);
    }
  };
