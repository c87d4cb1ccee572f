import { html } from '../../reporter/html/escape.js';

export interface Series {
  readonly name: string;
  readonly colour: 'a' | 'b' | 'c' | 'd';
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface ChartOptions {
  readonly title: string;
  readonly x: (value: number) => string;
  readonly y: (value: number) => string;
  /** Tens apart are as far as hundreds apart. */
  readonly logarithmicX?: boolean;
}

const WIDTH = 640;
const HEIGHT = 240;
const LEFT = 70;
const RIGHT = 12;
const TOP = 28;
const BOTTOM = 46;
const LINES = 4;

/** A round number that is at least as large. */
export const roundUp = (value: number): number => {
  if (value <= 0) return 1;
  const size = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5, 10].find((step) => step * size >= value) ?? 10) * size;
};

/** A tick of an axis of durations: no more digits than it needs. */
export const millisecondTick = (ms: number): string =>
  ms >= 10_000 ? `${Number((ms / 1_000).toPrecision(3))} s` : `${Number(ms.toPrecision(3))} ms`;

/** Bytes as an axis shows them: round numbers of mebibytes are no round numbers of bytes. */
export const mebibytes = (bytes: number): number => bytes / 1_048_576;

export const mebibyteTick = (value: number): string => `${Number(value.toPrecision(3))} MiB`;

/** A line chart without scripts: a picture and its words. */
export const lineChart = (series: readonly Series[], { title, x, y, logarithmicX = false }: ChartOptions): string => {
  const all = series.flatMap(({ points }) => points);
  if (all.length === 0) return '';
  const xs = all.map(([value]) => value);
  const scaleX = (value: number): number => (logarithmicX ? Math.log10(Math.max(1, value)) : value);
  const [first, last] = [scaleX(Math.min(...xs)), scaleX(Math.max(...xs))];
  const top = roundUp(Math.max(...all.map(([, value]) => value)));
  const placeX = (value: number): number =>
    LEFT + (last === first ? 0.5 : (scaleX(value) - first) / (last - first)) * (WIDTH - LEFT - RIGHT);
  const placeY = (value: number): number => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const grid = Array.from({ length: LINES + 1 }, (_, index) => {
    const value = (top * index) / LINES;
    const at = placeY(value).toFixed(1);
    return `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/><text class="label" x="${LEFT - 6}" y="${at}" dy="4" text-anchor="end">${html(y(value))}</text>`;
  });
  const ends = [Math.min(...xs), Math.max(...xs)].map(
    (value, index) =>
      `<text class="label" x="${placeX(value).toFixed(1)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="${index === 0 ? 'start' : 'end'}">${html(x(value))}</text>`,
  );
  const lines = series.map(({ points, colour, name }) => {
    const path = points.map(([px, py]) => `${placeX(px).toFixed(1)},${placeY(py).toFixed(1)}`).join(' ');
    const only = points[0];
    return points.length === 1 && only !== undefined
      ? `<circle class="dot ${colour}" cx="${placeX(only[0]).toFixed(1)}" cy="${placeY(only[1]).toFixed(1)}" r="3"><title>${html(name)}</title></circle>`
      : `<polyline class="line ${colour}" points="${path}"><title>${html(name)}</title></polyline>`;
  });
  const legend = series.map(
    ({ name, colour }, index) =>
      `<rect class="key ${colour}" x="${LEFT + index * 120}" y="${HEIGHT - 18}" width="12" height="4"/><text class="label" x="${LEFT + 18 + index * 120}" y="${HEIGHT - 12}">${html(name)}</text>`,
  );
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${html(title)}"><text class="title" x="${LEFT}" y="16">${html(title)}</text>${grid.join('')}${ends.join('')}${lines.join('')}${legend.join('')}</svg>`;
};
