/** "1 chart was", "3 charts were": the start of a sentence about what a document lost. */
export const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one} was` : `${count} ${many} were`;
