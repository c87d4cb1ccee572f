import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react';

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly rowHeight: number;
  readonly label: string;
  readonly row: (item: Item) => ReactNode;
  /** Called when the end comes into sight. */
  readonly onEnd?: (() => void) | undefined;
  readonly className?: string;
}

/** A list of any length: only the rows in sight are in the page. Their height may differ; it is measured. */
export const VirtualList = <Item,>({
  items,
  keyOf,
  rowHeight,
  label,
  row,
  onEnd,
  className,
}: VirtualListProps<Item>) => {
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    getItemKey: (at) => {
      const item = items[at];
      return item === undefined ? at : keyOf(item);
    },
    overscan: 8,
  });
  const shown = virtual.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? -1;
  useEffect(() => {
    if (lastShown >= items.length - 5) onEnd?.();
  }, [lastShown, items.length, onEnd]);
  return (
    <div
      ref={frame}
      className={`virtual ${className ?? ''}`}
      style={{ '--rows': `${virtual.getTotalSize()}px` } as CSSProperties}
      tabIndex={0}
      role="list"
      aria-label={label}
    >
      <div className="virtual-inner" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const item = items[index];
          return item === undefined ? null : (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              role="listitem"
              aria-setsize={items.length}
              aria-posinset={index + 1}
              className="virtual-row"
              style={{ transform: `translateY(${start}px)` }}
            >
              {row(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
};
