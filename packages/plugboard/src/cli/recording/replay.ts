import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import {
  examinationExit,
  parseRecording,
  replayAgainst,
  Replayer,
  type Recording,
  serveReplayHttp,
} from '@plugboard/check';
import { childEnvironment } from '@plugboard/client';
import { EXIT, type ExitCode, PlugboardError, MODEL_RECORDING_FORMAT, readModelRecording } from '@plugboard/contract';
import { DOUBLE_CREDENTIALS, DOUBLE_KEY, LlmDouble, recordedTurns } from '@plugboard/testing/llm';
import { VERSION } from '../../process/version.js';
import { checkForms, reportWords } from '../check/check-report.js';
import { readDirectTarget } from '../check/check-target.js';
import type { AddressFlags } from '../server-flags/address-options.js';
import type { CommandContext } from '../command/command-context.js';
import { assertReportFiles, writeReportFiles } from '../render/report-files.js';
import { readGivenFile } from '../input/read-given-file.js';
import { invalidArgument } from '../command/invalid-argument.js';

export interface ReplayInput {
  readonly recording: string;
  readonly address: AddressFlags;
  readonly against: boolean;
  readonly http: boolean;
  readonly port: number;
  readonly ignore: readonly string[];
  readonly report: readonly string[];
  readonly verbose: boolean;
}

const messageOf = (line: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
};

const serveStdio = async ({ process }: CommandContext, replayer: Replayer): Promise<void> => {
  // A signal that has fired tells nobody who listens later.
  if (process.signal.aborted) return;
  const lines = createInterface({ input: process.stdin.stream, crlfDelay: Number.POSITIVE_INFINITY });
  const stop = (): void => lines.close();
  process.signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const line of lines) {
      const message = messageOf(line);
      const answer = message === undefined ? undefined : replayer.answer(message);
      if (answer !== undefined) process.rawStdout.write(`${JSON.stringify(answer)}\n`);
    }
  } finally {
    process.signal.removeEventListener('abort', stop);
    lines.close();
  }
};

const serveHttp = async ({ out, process }: CommandContext, replayer: Replayer, port: number): Promise<void> => {
  const served = await serveReplayHttp(replayer, port);
  const { url, sseUrl } = served;
  try {
    process.stdout.write(
      `${out.json ? JSON.stringify({ url, sseUrl }) : `Replaying at ${url}, and over HTTP+SSE at ${sseUrl}. Stop it with Ctrl-C.`}\n`,
    );
    if (!process.signal.aborted) await once(process.signal, 'abort');
  } finally {
    await served.close();
  }
};

const compare = async (context: CommandContext, recording: Recording, input: ReplayInput): Promise<ExitCode> => {
  const { out, process, waiting } = context;
  assertReportFiles(checkForms(), input.report);
  const target = await readDirectTarget(context, input.address);
  const report = await waiting('Replaying', () =>
    replayAgainst(recording, target, {
      version: VERSION,
      signal: process.signal,
      baseEnv: childEnvironment({ inherited: process.env }),
      ignore: input.ignore,
    }),
  );
  await writeReportFiles(
    context,
    report,
    checkForms({ uri: input.recording.replaceAll('\\', '/'), line: 1 }),
    input.report,
  );
  out.data(report);
  if (!out.quiet || report.outcome !== 'passed') out.text(reportWords(report, input.verbose, out));
  return examinationExit(report);
};

const isModelRecording = (text: string): boolean => text.slice(0, 200).includes(`"${MODEL_RECORDING_FORMAT}"`);

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
const replayModel = async (
  { out, process }: CommandContext,
  text: string,
  { http, against, port }: { readonly http: boolean; readonly against: boolean; readonly port: number },
): Promise<ExitCode> => {
  if (!http || against || port !== 0) {
    throw invalidArgument(
      'A recorded model is served at a URL, at any free port.',
      'Give --http alone: plugboard replay model.jsonl --http',
    );
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

export const run = async (context: CommandContext, input: ReplayInput): Promise<ExitCode> => {
  const text = await readGivenFile(resolve(context.process.cwd, input.recording), input.recording);
  if (isModelRecording(text)) return await replayModel(context, text, input);
  const recording = parseRecording(text, input.recording);
  if (input.against) return await compare(context, recording, input);
  if (input.address.target.length > 0) {
    throw invalidArgument(
      'A target can be given only with --against.',
      'plugboard replay session.jsonl --against https://next.example/mcp',
    );
  }
  const replayer = new Replayer(recording);
  if (input.http) await serveHttp(context, replayer, input.port);
  else await serveStdio(context, replayer);
  if (replayer.missed.length > 0) context.out.note(`Not in the recording: ${replayer.missed.join(', ')}.`);
  return EXIT.ok;
};
