import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** What a running hub leaves in its home so that the CLI finds it, and may use it: only its owner can read it. */
const hubFile = z.object({
  pid: z.number().int().positive(),
  url: z.url(),
  started_at: z.iso.datetime(),
  key: z.string().optional(),
});
export type HubFile = z.infer<typeof hubFile>;

const pathIn = (home: string): string => join(home, 'hub.json');

export const writeHubFile = async (home: string, content: HubFile): Promise<void> => {
  const path = pathIn(home);
  const draft = `${path}.${content.pid}`;
  try {
    await writeFile(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
    await rename(draft, path);
  } catch (thrown) {
    await rm(draft, { force: true });
    throw thrown;
  }
};

/** The note of the last hub that started, if it can be read; whether that hub still runs is another question. */
export const readHubFile = async (home: string): Promise<HubFile | undefined> => {
  try {
    const parsed = hubFile.safeParse(JSON.parse(await readFile(pathIn(home), 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
};

/** Takes the note away, unless a newer hub has written its own. */
export const removeHubFile = async (home: string, pid: number): Promise<void> => {
  if ((await readHubFile(home))?.pid === pid) await rm(pathIn(home), { force: true });
};
