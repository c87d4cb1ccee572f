import { PlugboardError } from '@plugboard/contract';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.js';

/** In `store_meta` from the first row of a copy to its verification. */
export const UNFINISHED_COPY = 'unfinished_copy';

export const isUnfinished = async (db: Kysely<Tables>): Promise<boolean> =>
  (await db.selectFrom('store_meta').select('key').where('key', '=', UNFINISHED_COPY).executeTakeFirst()) !== undefined;

export const markUnfinished = async (db: Transaction<Tables>): Promise<void> => {
  await db.insertInto('store_meta').values({ key: UNFINISHED_COPY, value: 1 }).execute();
};

export const clearUnfinished = async (db: Transaction<Tables>): Promise<void> => {
  await db.deleteFrom('store_meta').where('key', '=', UNFINISHED_COPY).execute();
};

/** Throws for a store that got only a part of another one so far. */
export const assertFinished = async (db: Kysely<Tables>): Promise<void> => {
  if (!(await isUnfinished(db))) return;
  throw new PlugboardError(
    'STORE_INCOMPATIBLE',
    'A copy into this store was interrupted. A part of the data is missing.',
    {
      hint: 'Run the same migration or restore again: it continues where it stopped.',
    },
  );
};
