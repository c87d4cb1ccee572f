import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { ChartProps } from './chart-props.js';

const HEIGHT = 220;

/** A colour of the present theme, as a canvas understands it. */
const colourOf = (name: string): string => {
  const probe = document.createElement('span');
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};

const optionsFor = ({ series, format, formatX, stretch }: ChartProps, width: number): uPlot.Options => {
  const axis = { stroke: colourOf('quiet'), grid: { stroke: colourOf('line'), width: 1 }, ticks: { show: false } };
  return {
    width,
    height: HEIGHT,
    cursor: { drag: { x: false, y: false } },
    scales: {
      x: { time: formatX === undefined, ...(stretch === undefined ? {} : { range: () => [...stretch] }) },
      y: { range: (_u, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    axes: [
      { ...axis, ...(formatX === undefined ? {} : { values: (_u: uPlot, ticks: number[]) => ticks.map(formatX) }) },
      { ...axis, size: 70, values: (_u, ticks) => ticks.map(format) },
    ],
    series: [
      {
        ...(formatX === undefined ? {} : { label: 'At' }),
        value: (_u, at) =>
          at === null ? '–' : formatX === undefined ? new Date(at * 1000).toLocaleTimeString() : formatX(at),
      },
      ...series.map(({ label, colour, dash }) => ({
        label,
        stroke: colourOf(colour),
        width: 1.75,
        spanGaps: true,
        points: { size: 5 },
        ...(dash === undefined ? {} : { dash: [...dash] }),
        value: (_u: uPlot, value: number | null) => (value === null ? '–' : format(value)),
      })),
    ],
  };
};

/** Lines over time. The colours follow the theme, the width follows the page. */
const Chart = (props: ChartProps) => {
  const { label, times, series } = props;
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const plot = useRef<uPlot | undefined>(undefined);
  const data = [[...times], ...series.map(({ values }) => [...values])] as uPlot.AlignedData;
  const latestData = useRef(data);
  latestData.current = data;
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new uPlot(optionsFor(latest.current, element.clientWidth), latestData.current, element);
    };
    draw();
    const sizes = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }));
    sizes.observe(element);
    const themes = new MutationObserver(draw);
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', draw);
    return () => {
      sizes.disconnect();
      themes.disconnect();
      system.removeEventListener('change', draw);
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, []);
  useEffect(() => plot.current?.setData(latestData.current), [times, series]);
  return <div ref={frame} className="chart" role="img" aria-label={label} />;
};

// Loaded only when a chart is shown.
// oxlint-disable-next-line import/no-default-export
export default Chart;
