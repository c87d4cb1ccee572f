import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ModelProvider, recordProvider, type RedactJson } from '@plugboard/agent';
import { redactMessage } from '@plugboard/check';
import { PlugboardError } from '@plugboard/contract';
import type { CommandContext } from '../command/command-context.js';

/** Secrets by their form, and members with telling names, as in recordings of servers. */
export const redactConversation: RedactJson = (value) => redactMessage(value, (text) => text);

export interface ModelRecorder {
  /** The same provider, recorded. */
  readonly provider: ModelProvider;
  close(): Promise<void>;
}

/** Records a provider into a new file. Without a file, it is used as it is. */
export const openModelRecorder = async (
  { process, out }: CommandContext,
  provider: ModelProvider,
  file: string | undefined,
): Promise<ModelRecorder> => {
  if (file === undefined) return { provider, close: () => Promise.resolve() };
  const handle: FileHandle = await open(resolve(process.cwd, file), 'wx', 0o600).catch((cause: unknown) => {
    throw new PlugboardError('INVALID_ARGUMENT', `${file} cannot be written, or exists already.`, {
      hint: 'Choose another file with --record.',
      cause,
    });
  });
  const writer = handle.createWriteStream();
  let lines = 0;
  const write = (text: string): void => {
    lines += 1;
    writer.write(text);
  };
  return {
    provider: recordProvider(provider, { write, redact: redactConversation }),
    close: async () => {
      await new Promise<void>((done) => writer.end(done));
      out.note(`Wrote ${lines - 1} answers to ${file}. Read it before you share it.`);
    },
  };
};
