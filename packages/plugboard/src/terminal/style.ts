type Paint = (text: string) => string;

/** How text is made to stand out; without colour every function gives back its text. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

const wrap =
  (open: number, close: number) =>
  (text: string): string =>
    text === '' ? '' : `\u001B[${open}m${text}\u001B[${close}m`;

/** Every sequence that a style writes. A terminal gets no others. */
export const STYLE_SEQUENCES = /\u001B\[(?:1|2|22|31|32|33|36|39)m/gu;

const same = (text: string): string => text;

const COLOURED: Style = {
  bold: wrap(1, 22),
  dim: wrap(2, 22),
  red: wrap(31, 39),
  green: wrap(32, 39),
  yellow: wrap(33, 39),
  cyan: wrap(36, 39),
};

const PLAIN: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

export const styleFor = (coloured: boolean): Style => (coloured ? COLOURED : PLAIN);

/** FORCE_COLOR, then NO_COLOR, then whether it is a terminal that can show it. */
export const wantsColour = (env: Readonly<Record<string, string | undefined>>, isTTY: boolean): boolean => {
  const force = env['FORCE_COLOR'];
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  return isTTY && env['TERM'] !== 'dumb';
};
