import { type LimitAsk, type LimitGrant, PLACES_MS } from '@plugboard/contract';
import { type Kysely, sql, type Transaction } from 'kysely';
import { ROWS_PER_STATEMENT } from './chunks.js';
import { type Bucket, lendPlaces, lendTokens } from './lent-limit.js';
import type { SqlEngine } from './sql-store.js';
import type { Tables } from './tables.js';

const THOUSAND = 1000;
/** A bucket that nobody used for so long is full, as one without a row is. */
const FORGET_MS = 3_600_000;

interface Lending {
  readonly holder: string;
  readonly asks: readonly LimitAsk[];
}

type Engine = Pick<SqlEngine, 'now' | 'locksRows'>;

const timeOf = async (db: Transaction<Tables>, { now }: Engine): Promise<number> => {
  const { rows } = await sql<{ now: number }>`select ${now()} as now`.execute(db);
  return rows[0]?.now ?? 0;
};

/** Locks the rows of the subjects, always in the same order, and reads them. */
const lockBuckets = async (
  db: Transaction<Tables>,
  { locksRows }: Engine,
  {
    subjects,
    now,
    fullLevelOf,
  }: {
    readonly subjects: readonly string[];
    readonly now: number;
    readonly fullLevelOf: (subject: string) => number;
  },
): Promise<ReadonlyMap<string, Bucket>> => {
  await db
    .insertInto('limit_buckets')
    .values(subjects.map((subject) => ({ subject, level: fullLevelOf(subject), filled_at: now })))
    .onConflict((conflict) => conflict.column('subject').doNothing())
    .execute();
  const query = db.selectFrom('limit_buckets').selectAll().where('subject', 'in', subjects).orderBy('subject');
  const rows = await (locksRows ? query.forUpdate() : query).execute();
  return new Map(rows.map((row) => [row.subject, { level: row.level / THOUSAND, filledAt: row.filled_at }]));
};

/** How many places others hold of each subject. */
const placesOfOthers = async (
  db: Transaction<Tables>,
  { subjects, holder, now }: { readonly subjects: readonly string[]; readonly holder: string; readonly now: number },
): Promise<ReadonlyMap<string, number>> => {
  if (subjects.length === 0) return new Map();
  const rows = await db
    .selectFrom('limit_places')
    .select('subject')
    .select(sql<number>`cast(sum(places) as bigint)`.as('places'))
    .where('subject', 'in', subjects)
    .where('holder', '!=', holder)
    .where('until', '>', now)
    .groupBy('subject')
    .execute();
  return new Map(rows.map(({ subject, places }) => [subject, places]));
};

const lendPortion = async (
  db: Transaction<Tables>,
  engine: Engine,
  { holder, asks }: Lending,
): Promise<readonly LimitGrant[]> => {
  const now = await timeOf(db, engine);
  const bySubject = new Map(asks.map((ask) => [ask.subject, ask]));
  const subjects = [...bySubject.keys()].toSorted();
  const buckets = await lockBuckets(db, engine, {
    subjects,
    now,
    fullLevelOf: (subject) => (bySubject.get(subject)?.rate?.burst ?? 0) * THOUSAND,
  });
  // The locks may have been waited for.
  const at = await timeOf(db, engine);
  const limited = asks.flatMap(({ subject, places }) => (places === undefined ? [] : [subject]));
  const others = await placesOfOthers(db, { subjects: limited, holder, now: at });
  const lent = asks.map(({ subject, rate, places }) => ({
    subject,
    rate: rate && lendTokens(buckets.get(subject), at, rate),
    places: places && lendPlaces(others.get(subject) ?? 0, places),
  }));
  const levels = lent.map(({ subject, rate }) => ({
    subject,
    level: Math.floor((rate?.level ?? 0) * THOUSAND),
    filled_at: at,
  }));
  await db
    .insertInto('limit_buckets')
    .values(levels)
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet((row) => ({
        level: row.ref('excluded.level'),
        filled_at: row.ref('excluded.filled_at'),
      })),
    )
    .execute();
  const held = lent.flatMap(({ subject, places }) =>
    places === undefined ? [] : [{ subject, holder, places: places.held, until: at + PLACES_MS }],
  );
  if (held.length > 0) {
    await db
      .insertInto('limit_places')
      .values(held)
      .onConflict((conflict) =>
        conflict.columns(['subject', 'holder']).doUpdateSet((row) => ({
          places: row.ref('excluded.places'),
          until: row.ref('excluded.until'),
        })),
      )
      .execute();
  }
  return lent.map(({ subject, rate, places }) => ({
    subject,
    tokens: rate?.tokens ?? 0,
    level: rate?.level ?? 0,
    places: places?.granted ?? 0,
  }));
};

/** Hands out tokens and places in one transaction, which waits for those of other processes with the same subjects. */
export const lendLimits = async (
  db: Transaction<Tables>,
  engine: Engine,
  { holder, asks }: Lending,
): Promise<readonly LimitGrant[]> => {
  // Portions follow the order of the locks, so that two processes never wait for each other.
  const sorted = asks.toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
  const grants = new Map<string, LimitGrant>();
  for (let start = 0; start < sorted.length; start += ROWS_PER_STATEMENT) {
    const portion = sorted.slice(start, start + ROWS_PER_STATEMENT);
    for (const grant of await lendPortion(db, engine, { holder, asks: portion })) grants.set(grant.subject, grant);
  }
  return asks.flatMap(({ subject }) => grants.get(subject) ?? []);
};

/** Forgets what says nothing any more. */
export const forgetLimits = async (db: Kysely<Tables>, now: ReturnType<SqlEngine['now']>): Promise<void> => {
  const before = sql<number>`${now} - ${sql.lit(FORGET_MS)}`;
  await db.deleteFrom('limit_buckets').where('filled_at', '<', before).execute();
  await db.deleteFrom('limit_places').where('until', '<', before).execute();
};
