/** Something that the palette leads to. */
export interface Destination {
  readonly path: string;
  readonly name: string;
  /** What it is; a page needs no word for it. */
  readonly kind?: string;
}

/** Those whose names have every word that was typed, in their order. */
export const fitting = (all: readonly Destination[], typed: string, limit: number): readonly Destination[] => {
  const words = typed.toLowerCase().split(/\s+/u);
  const fits = ({ name }: Destination): boolean => words.every((word) => name.toLowerCase().includes(word));
  return all.filter(fits).slice(0, limit);
};
