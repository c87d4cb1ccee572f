import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { checkReport, type CheckReport, PlugboardError } from '@plugboard/contract';

const KEPT = 200;
const NAME = /^\d{8}T\d{9}Z-[a-z0-9]+\.json$/u;

export interface KeptRun {
  readonly id: string;
  readonly report: CheckReport;
}

const folderOf = (home: string): string => join(home, 'checks');

const idOf = ({ startedAt, seed }: CheckReport): string =>
  `${startedAt.replaceAll(/[-:.]/gu, '')}-${Math.abs(seed).toString(36)}`;

const names = async (home: string): Promise<readonly string[]> => {
  const all = await readdir(folderOf(home)).catch(() => []);
  return all
    .filter((name) => NAME.test(name))
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
export const keepRun = async (home: string, report: CheckReport): Promise<string> => {
  const folder = folderOf(home);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, `${idOf(report)}.json`), JSON.stringify(report), { mode: 0o600 });
  for (const old of (await names(home)).slice(KEPT)) await rm(join(folder, old), { force: true });
  return idOf(report);
};

/** The runs that are kept, newest first. */
export const keptRuns = async (home: string): Promise<readonly KeptRun[]> => {
  const runs = await Promise.all(
    (await names(home)).map(async (name) => ({
      id: name.slice(0, -'.json'.length),
      report: await read(join(folderOf(home), name)),
    })),
  );
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
  throw new PlugboardError('INVALID_ARGUMENT', `"${word}" is neither a run that is kept nor a report in JSON.`, {
    hint: '`plugboard check history` lists the runs; 1 is the newest.',
  });
};
