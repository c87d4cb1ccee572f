export interface ChartSeries {
  readonly label: string;
  /** The name of a colour of the theme. */
  readonly colour: string;
  readonly dash?: readonly number[];
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  /** What the chart says, for those who do not see it. */
  readonly label: string;
  /** Seconds since 1970, rising; with `formatX`, numbers of any kind. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
  /** How values of the axis below are written, when they are no times. */
  readonly formatX?: (value: number) => string;
  /** The first and the last second of the axis; those of the values when left out. */
  readonly stretch?: readonly [number, number];
}
