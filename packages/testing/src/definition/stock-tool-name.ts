/** Tools that every fake knows by name, so that they also exist in a real process. */
export const stockToolNames = [
  'echo',
  'add',
  'counter',
  'sleep',
  'hang',
  'progress',
  'log',
  'elicit',
  'sample',
  'roots',
  'env',
  'pid',
  'headers',
  'crash',
  'fail',
  'big',
  'stderr',
  'allocate',
] as const;

export type StockToolName = (typeof stockToolNames)[number];
