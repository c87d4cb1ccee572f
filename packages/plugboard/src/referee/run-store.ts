import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { checkReport, type CheckReport, PlugboardError } from '@plugboard/contract';

const KEPT = 200;
const ENDING = '.json';
const NAME = /^\d{8}T\d{9}Z-[a-z0-9]+\.json$/u;

export interface KeptRun {
  readonly id: string;
  readonly report: CheckReport;
}

const folderOf = (home: string): string => join(home, 'checks');

/** A name that sorts by time; `rest` tells runs of the same moment apart. */
export const runIdOf = (startedAt: string, rest: string): string => `${startedAt.replaceAll(/[-:.]/gu, '')}-${rest}`;

const idOf = ({ startedAt, seed }: CheckReport): string => runIdOf(startedAt, Math.abs(seed).toString(36));

/** Runs that are kept, newest first. */
export const keptRunIds = async (home: string): Promise<readonly string[]> => {
  const all = await readdir(folderOf(home)).catch(() => []);
  return all
    .filter((name) => NAME.test(name))
    .map((name) => name.slice(0, -ENDING.length))
    .toSorted()
    .toReversed();
};

const read = async (path: string): Promise<CheckReport | undefined> => {
  try {
    return checkReport.safeParse(JSON.parse(await readFile(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
};

/** Keeps a report under the home, and only so many of them. */
export const keepRun = async (home: string, report: CheckReport, id = idOf(report)): Promise<string> => {
  const folder = folderOf(home);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Readers see all of it or nothing.
  const unfinished = join(folder, `.${id}`);
  await writeFile(unfinished, JSON.stringify(report), { mode: 0o600 });
  await rename(unfinished, join(folder, id + ENDING));
  for (const old of (await keptRunIds(home)).slice(KEPT)) await forgetRun(home, old);
  return id;
};

export const keptRun = async (home: string, id: string): Promise<CheckReport | undefined> =>
  NAME.test(id + ENDING) ? await read(join(folderOf(home), id + ENDING)) : undefined;

export const forgetRun = (home: string, id: string): Promise<void> =>
  rm(join(folderOf(home), id + ENDING), { force: true });

/** The runs that are kept, newest first. */
export const keptRuns = async (home: string): Promise<readonly KeptRun[]> => {
  const runs = await Promise.all((await keptRunIds(home)).map(async (id) => ({ id, report: await keptRun(home, id) })));
  return runs.flatMap(({ id, report }) => (report === undefined ? [] : [{ id, report }]));
};

/** A run by its id, by its place counted from the newest (1), or from a file. */
export const findRun = async (
  word: string,
  { home, cwd }: { readonly home: string; readonly cwd: string },
): Promise<CheckReport> => {
  const runs = await keptRuns(home);
  const found =
    runs.find(({ id }) => id === word)?.report ??
    (/^\d{1,3}$/u.test(word) ? runs[Number(word) - 1]?.report : undefined);
  const report = found ?? (await read(resolve(cwd, word)));
  if (report !== undefined) return report;
  throw new PlugboardError('INVALID_ARGUMENT', `"${word}" is neither a stored run nor a JSON report.`, {
    hint: '`plugboard check history` lists the runs; 1 is the newest.',
  });
};
