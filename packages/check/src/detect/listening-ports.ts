import { readdir, readFile, readlink } from 'node:fs/promises';

const LISTENING = '0A';

/** The inodes and ports of listening sockets, from the text of /proc/net/tcp or tcp6. */
export const listeningSockets = (table: string): ReadonlyMap<string, number> =>
  new Map(
    table
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/u))
      .filter((fields) => fields[3] === LISTENING)
      .map((fields) => [fields[9] ?? '', Number.parseInt((fields[1] ?? '').split(':')[1] ?? '', 16)]),
  );

const childrenOf = async (pid: number): Promise<readonly number[]> => {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const direct = text
    .split(' ')
    .filter((one) => one !== '')
    .map(Number);
  return [...direct, ...(await Promise.all(direct.map(childrenOf))).flat()];
};

const inodesOf = async (pid: number): Promise<readonly string[]> => {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(descriptors.map((one) => readlink(`/proc/${pid}/fd/${one}`).catch(() => '')));
  return links.flatMap((link) => /^socket:\[(\d+)\]$/u.exec(link)?.[1] ?? []);
};

/** The ports on which a process and its children listen; undefined where the system does not tell. */
export const listeningPorts = async (pid: number): Promise<readonly number[] | undefined> => {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => undefined)),
  );
  if (tables.every((table) => table === undefined)) return undefined;
  const sockets = new Map(tables.flatMap((table) => [...listeningSockets(table ?? '')]));
  const inodes = await Promise.all([pid, ...(await childrenOf(pid))].map(inodesOf));
  return [...new Set(inodes.flat().flatMap((inode) => sockets.get(inode) ?? []))];
};
