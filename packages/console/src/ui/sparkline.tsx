const WIDTH = 72;
const HEIGHT = 18;

/** The way of a line through these values, the last of which is on the right. */
export const sparkPath = (values: readonly number[], width = WIDTH, height = HEIGHT): string => {
  const top = Math.max(...values, Number.EPSILON);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values
    .map(
      (value, at) =>
        `${at === 0 ? 'M' : 'L'}${(at * step).toFixed(1)} ${(height - (value / top) * (height - 2) - 1).toFixed(1)}`,
    )
    .join(' ');
};

/** A line without axes: only whether something rises. */
export const Sparkline = ({ values, label }: { readonly values: readonly number[]; readonly label: string }) => (
  <svg
    className="sparkline"
    viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    width={WIDTH}
    height={HEIGHT}
    role="img"
    aria-label={label}
  >
    <path d={values.length === 1 ? `M0 ${HEIGHT / 2} L${WIDTH} ${HEIGHT / 2}` : sparkPath(values)} />
  </svg>
);
