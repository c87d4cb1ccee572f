// at most 14 columns a row; SQLite takes 32,766 parameters and Postgres 65,535
export const ROWS_PER_STATEMENT = 200;

/** Rows in portions that one statement can take. */
export const chunks = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / ROWS_PER_STATEMENT) }, (_, index) =>
    items.slice(index * ROWS_PER_STATEMENT, (index + 1) * ROWS_PER_STATEMENT),
  );
