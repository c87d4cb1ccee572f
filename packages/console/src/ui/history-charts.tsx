import { Fragment, type ReactNode } from 'react';
import { Chart, ChartFrame } from './chart-frame.js';
import type { ChartProps } from './chart-props.js';

interface HistoryChart extends Pick<ChartProps, 'label' | 'series' | 'format'> {
  readonly title: string;
}

interface HistoryChartsProps extends Pick<ChartProps, 'times'> {
  /** What is shown: the charts are drawn anew when it changes. */
  readonly of: string;
  readonly hours: number;
  readonly charts: readonly HistoryChart[];
  /** The table with the same figures. */
  readonly children: ReactNode;
}

/** Charts of the same hours up to now, one below the other, and their figures as a table. */
export const HistoryCharts = ({ of, times, hours, charts, children }: HistoryChartsProps) => {
  const now = Math.ceil(Date.now() / 1000);
  const stretch = [now - hours * 3600, now] as const;
  return (
    <>
      <ChartFrame>
        {charts.map(({ title, ...chart }) => (
          <Fragment key={`${title} ${of}`}>
            <h2>{title}</h2>
            <Chart {...chart} times={times} stretch={stretch} />
          </Fragment>
        ))}
      </ChartFrame>
      <details>
        <summary>The figures as a table</summary>
        {children}
      </details>
    </>
  );
};
