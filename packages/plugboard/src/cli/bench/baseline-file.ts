import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { benchReport, PlugboardError, type BenchReport } from '@plugboard/contract';
import type { CommandContext } from '../command/command-context.js';

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** An earlier report, as `--report baseline.json` wrote it. */
export const readBaseline = async (
  { process }: Pick<CommandContext, 'process'>,
  file: string,
): Promise<BenchReport> => {
  const text = await readFile(resolve(process.cwd, file), 'utf8').catch(() => undefined);
  const parsed = benchReport.safeParse(text === undefined ? undefined : jsonOf(text));
  if (parsed.success) return parsed.data;
  throw new PlugboardError(
    'INVALID_ARGUMENT',
    text === undefined
      ? `The baseline ${file} cannot be read.`
      : `The baseline ${file} is not a report of plugboard bench.`,
    { hint: `Write one: plugboard bench … --report ${file}` },
  );
};
