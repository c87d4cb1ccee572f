import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { type CheckTarget, labelOf, Recorder, secretMask, startHttpTap } from '@plugboard/check';
import { childEnvironment } from '@plugboard/client';
import { EXIT, type ExitCode, PlugboardError } from '@plugboard/contract';
import { readCheckTarget } from '../check/check-target.js';
import type { AddressFlags } from '../server-flags/address-options.js';
import type { CommandContext } from '../command/command-context.js';
import { openRecordingFile } from '../command/recording-file.js';

export interface RecordInput {
  readonly address: AddressFlags;
  readonly output: string;
  readonly port: number;
  readonly force: boolean;
}

/** Stands between a client and a program: every byte passes as it is. */
const tapProgram = async ({ process }: CommandContext, target: CheckTarget, recorder: Recorder): Promise<ExitCode> => {
  const [program = '', ...args] = target.command ?? [];
  const child = spawn(program, args, {
    cwd: target.cwd,
    env: { ...childEnvironment({ inherited: process.env }), ...target.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const stop = (): void => void child.kill();
  process.signal.addEventListener('abort', stop, { once: true });
  const exited = once(child, 'close');
  const [fromClient, fromServer] = [recorder.tap('client'), recorder.tap('server')];
  process.stdin.stream.on('data', fromClient).pipe(child.stdin);
  // The program may end before its client does.
  child.stdin.on('error', () => undefined);
  child.stdout.on('data', (chunk: Buffer) => {
    fromServer(chunk);
    if (!process.rawStdout.write(chunk)) {
      child.stdout.pause();
      process.rawStdout.once('drain', () => child.stdout.resume());
    }
  });
  try {
    const [code] = (await exited) as [number | null];
    return code === 0 || process.signal.aborted ? EXIT.ok : EXIT.failed;
  } catch (cause) {
    throw new PlugboardError('PROCESS_EXITED', `The program ${program} cannot be started.`, {
      hint: 'Check the command and its permissions.',
      cause,
    });
  } finally {
    process.signal.removeEventListener('abort', stop);
    process.stdin.stream.unpipe(child.stdin);
    process.stdin.stream.pause();
    child.kill();
  }
};

/** A registered server is reached through the hub that runs. */
const urlOf = async (context: CommandContext, { url, name = '' }: CheckTarget): Promise<string> => {
  if (url !== undefined) return url;
  const { api } = await context.hub();
  if (api.place.kind === 'running') return new URL(`/servers/${encodeURIComponent(name)}/mcp`, api.place.url).href;
  throw new PlugboardError('HUB_UNREACHABLE', 'No hub is running, so there is no traffic to record.', {
    hint: 'Start it with `plugboard serve`, or record the command or the URL of the server.',
  });
};

const tapUrl = async (context: CommandContext, url: string, recorder: Recorder, port: number): Promise<ExitCode> => {
  const { out, process } = context;
  const tap = await startHttpTap(url, recorder, port);
  try {
    process.stdout.write(
      `${out.json ? JSON.stringify({ url: tap.url }) : `Recording at ${tap.url}. Stop it with Ctrl-C.`}\n`,
    );
    if (!process.signal.aborted) await once(process.signal, 'abort');
    return EXIT.ok;
  } finally {
    await tap.close();
  }
};

export const run = async (context: CommandContext, input: RecordInput): Promise<ExitCode> => {
  const target = await readCheckTarget(context, input.address);
  const url = target.command === undefined ? await urlOf(context, target) : undefined;
  const path = resolve(context.process.cwd, input.output);
  const hint = 'Choose another file with --output, or give --force.';
  const file = await openRecordingFile(path, { force: input.force, hint });
  const mask = secretMask(target);
  const recorder = new Recorder({ label: mask(labelOf(target)), mask, write: file.write });
  try {
    return url === undefined
      ? await tapProgram(context, target, recorder)
      : await tapUrl(context, url, recorder, input.port);
  } finally {
    const failure = await file.close();
    if (failure !== undefined) context.out.problem(`${input.output} is not complete: ${failure}`);
    if (recorder.cut !== undefined) context.out.problem(`${recorder.cut.message} What followed it is not recorded.`);
    context.out.note(`Wrote ${recorder.count} messages to ${input.output}.`);
  }
};
