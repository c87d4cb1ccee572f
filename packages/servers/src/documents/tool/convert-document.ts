import type { CallToolResult, InputRequiredResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { ConverterPool } from '../convert/converter-pool.js';
import type { DocumentsSettings } from './documents-settings.js';
import type { AllowedDirectories } from '../source/allowed-directories.js';
import type { ConvertedStore } from '../store/converted-store.js';
import { clientRoots } from './client-roots.js';
import type { ConvertInput } from './convert-input.js';
import { loadSource } from './load-source.js';
import { convertedAnswer, refusedAnswer } from './tool-answer.js';
import type { ReportProgress } from '../convert/convert.js';

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
