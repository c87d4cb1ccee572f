/** How many rows each table has, one on a line. */
export const rowLines = (rows: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(rows).map(([table, count]) => `  ${table.padEnd(18)} ${String(count).padStart(7)}`);
