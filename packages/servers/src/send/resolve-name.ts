import { lookup } from 'node:dns/promises';

/** All addresses of a name. */
export const resolveName = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);
