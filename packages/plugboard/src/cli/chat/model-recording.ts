import { resolve } from 'node:path';
import { type ModelProvider, recordProvider, type RedactJson } from '@plugboard/agent';
import { redactMessage } from '@plugboard/check';
import type { CommandContext } from '../command/command-context.js';
import { openRecordingFile } from '../command/recording-file.js';

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
  const recording = await openRecordingFile(resolve(process.cwd, file), {
    force: false,
    hint: 'Choose another file with --record.',
  });
  let lines = 0;
  const write = (text: string): void => {
    lines += 1;
    recording.write(text);
  };
  return {
    provider: recordProvider(provider, { write, redact: redactConversation }),
    close: async () => {
      const failure = await recording.close();
      if (failure !== undefined) out.problem(`${file} is not complete: ${failure}`);
      out.note(`Wrote ${lines - 1} answers to ${file}. Read it before you share it.`);
    },
  };
};
