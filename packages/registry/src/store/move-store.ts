import { type MovedRows, type MoveOptions, moveRows } from './move-rows.js';
import { bringUpToDate, type SqlEngine } from './sql-store.js';
import { toStoreError } from './store-error.js';
import { openEngine, type StorePlace } from './store-place.js';

export interface MoveStoreOptions extends MoveOptions {
  readonly from: StorePlace;
  /** What takes everything; it must be empty. */
  readonly to: StorePlace;
}

/**
 * Copies everything of a store into an empty one, compared row by row. One that is interrupted continues when it is
 * called again. Secrets stay sealed as they are; the hub on the new store needs the same master key.
 */
export const moveStore = async ({ from, to, ...options }: MoveStoreOptions): Promise<MovedRows> => {
  const engines: SqlEngine[] = [];
  try {
    const source = await openEngine(from);
    engines.push(source);
    const target = await openEngine(to);
    engines.push(target);
    await bringUpToDate(source);
    await bringUpToDate(target);
    return await moveRows(source, target, options);
  } catch (thrown) {
    throw toStoreError(thrown);
  } finally {
    for (const engine of engines) {
      await engine.beforeClose();
      await engine.db.destroy();
    }
  }
};
