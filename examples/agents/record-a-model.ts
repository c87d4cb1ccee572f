import { type ModelProvider, recordProvider, type RedactJson, replayProvider } from '@plugboard/agent';
import { readModelRecording } from '@plugboard/contract';

/** Writes each answer of the provider to a recording. */
export const record = (provider: ModelProvider, redact: RedactJson, write: (line: string) => void): ModelProvider =>
  recordProvider(provider, { redact, write });

/** Answers the same requests from the text of a recording. */
export const replay = (text: string, redact: RedactJson): ModelProvider => {
  const recording = readModelRecording(text);
  if (recording === undefined) throw new Error('This is not a recording of a model.');
  return replayProvider(recording, { redact });
};
