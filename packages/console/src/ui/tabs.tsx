import { Tabs as Primitive } from 'radix-ui';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { scrollToShow } from './scroll-to-show.js';

export interface Tab {
  readonly id: string;
  readonly title: ReactNode;
  readonly content: () => ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Shows the first tab when the value names none: it may come from an address that somebody typed. */
export const Tabs = ({ label, tabs, value, onChange }: TabsProps) => {
  const shown = tabs.some(({ id }) => id === value) ? value : (tabs[0]?.id ?? value);
  const list = useRef<HTMLDivElement>(null);
  // A narrow screen has room for a few tabs only, and the chosen one may come from the address.
  useLayoutEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[data-state="active"]');
    if (list.current === null || chosen === null || chosen === undefined) return;
    list.current.scrollLeft = scrollToShow(list.current, chosen);
  }, [shown]);
  return (
    <Primitive.Root className="tabs" value={shown} onValueChange={onChange}>
      <Primitive.List ref={list} className="tab-list" aria-label={label}>
        {tabs.map(({ id, title }) => (
          <Primitive.Trigger key={id} value={id} className="tab">
            {title}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map(({ id, content }) => (
        <Primitive.Content key={id} value={id} className="tab-panel">
          {shown === id ? content() : null}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
};
