import type { RotatingSecretBox } from '../secret/secret-box.js';
import { type SealedRow, type SealedText, sealedRows } from './sealed-places.js';
import type { Resealed, SealCount, SealStore } from './seal-store.js';
import type { SqlAuditEngine } from './sql-audit-store.js';

/** The text under the key of today; undefined when it cannot be opened. */
const renewed = (box: RotatingSecretBox, { sealed, place }: SealedText): string | undefined => {
  try {
    return box.seal(box.open(sealed, place), place);
  } catch {
    return undefined;
  }
};

const resealRow = async (box: RotatingSecretBox, row: SealedRow): Promise<Resealed> => {
  if (row.texts.every(({ sealed }) => box.isCurrent(sealed))) return { resealed: 0, unreadable: 0 };
  let resealed = 0;
  let unreadable = 0;
  const texts = row.texts.map((text) => {
    if (box.isCurrent(text.sealed)) return text.sealed;
    const fresh = renewed(box, text);
    if (fresh === undefined) unreadable += 1;
    else resealed += 1;
    return fresh ?? text.sealed;
  });
  if (resealed > 0) await row.write(texts);
  return { resealed, unreadable };
};

export class SqlSealStore implements SealStore {
  readonly #engine: SqlAuditEngine;

  constructor(engine: SqlAuditEngine) {
    this.#engine = engine;
  }

  count(box: RotatingSecretBox): Promise<SealCount> {
    return this.#engine.write(async (db) => {
      const texts = (await sealedRows(db)).flatMap((row) => row.texts);
      return { total: texts.length, foreign: texts.filter(({ sealed }) => !box.hasKeyOf(sealed)).length };
    });
  }

  reseal(box: RotatingSecretBox): Promise<Resealed> {
    return this.#engine.write(async (db) => {
      let sum: Resealed = { resealed: 0, unreadable: 0 };
      for (const row of await sealedRows(db)) {
        const { resealed, unreadable } = await resealRow(box, row);
        sum = { resealed: sum.resealed + resealed, unreadable: sum.unreadable + unreadable };
      }
      return sum;
    });
  }
}
