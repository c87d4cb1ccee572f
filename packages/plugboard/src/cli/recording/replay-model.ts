import { once } from 'node:events';
import { EXIT, type ExitCode, MODEL_RECORDING_FORMAT, PlugboardError, readModelRecording } from '@plugboard/contract';
import { DOUBLE_CREDENTIALS, DOUBLE_KEY, LlmDouble, recordedTurns } from '@plugboard/testing/llm';
import type { CommandContext } from '../command/command-context.js';

export const isModelRecording = (text: string): boolean => text.slice(0, 200).includes(`"${MODEL_RECORDING_FORMAT}"`);

const namesIn = (text: string): readonly string[] => {
  try {
    return (readModelRecording(text)?.answers ?? []).map(({ request }) => request.model);
  } catch (cause) {
    throw new PlugboardError('CONFIG_INVALID', cause instanceof Error ? cause.message : String(cause), {
      hint: 'Record again with `plugboard chat --record` or `plugboard eval --record`.',
      cause,
    });
  }
};

/** Serves the answers of a recorded model in their order, each once, to clients of OpenAI, Anthropic and Bedrock. */
export const replayModel = async (
  { out, process }: CommandContext,
  text: string,
  { http, against, port }: { readonly http: boolean; readonly against: boolean; readonly port: number },
): Promise<ExitCode> => {
  if (!http || against || port !== 0) {
    throw new PlugboardError('INVALID_ARGUMENT', 'A recorded model is served at a URL, at any free port.', {
      hint: 'Give --http alone: plugboard replay model.jsonl --http',
    });
  }
  const models = Object.fromEntries(namesIn(text).map((name) => [name, {}]));
  await using double = await new LlmDouble({ models }).open();
  double.next(...recordedTurns(text));
  const { accessKeyId, secretAccessKey, region } = DOUBLE_CREDENTIALS;
  const facts = {
    url: double.url,
    openai_url: double.openaiUrl,
    key: DOUBLE_KEY,
    aws: { accessKeyId, secretAccessKey, region },
  };
  process.stdout.write(
    out.json
      ? `${JSON.stringify(facts)}\n`
      : `Replaying ${Object.keys(models).join(', ')} at ${double.url} (OpenAI: ${double.openaiUrl}), with the key ${DOUBLE_KEY}. Stop it with Ctrl-C.\n`,
  );
  if (!process.signal.aborted) await once(process.signal, 'abort');
  return EXIT.ok;
};
