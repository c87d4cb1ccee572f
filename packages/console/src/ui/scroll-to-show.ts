type Box = Pick<HTMLElement, 'offsetLeft' | 'offsetWidth'>;

/** A part of the neighbour shows that there is more. */
const NEIGHBOUR_PX = 24;

/** How far a row must be scrolled so that one of its parts is in sight. */
export const scrollToShow = (
  row: Box & Pick<HTMLElement, 'scrollLeft' | 'clientWidth'>,
  { offsetLeft, offsetWidth }: Box,
): number => {
  const start = offsetLeft - row.offsetLeft - NEIGHBOUR_PX;
  const end = offsetLeft - row.offsetLeft + offsetWidth + NEIGHBOUR_PX;
  if (start < row.scrollLeft) return Math.max(0, start);
  return Math.max(row.scrollLeft, end - row.clientWidth);
};
