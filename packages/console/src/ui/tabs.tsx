import { Tabs as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';

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
  return (
    <Primitive.Root className="tabs" value={shown} onValueChange={onChange}>
      <Primitive.List className="tab-list" aria-label={label}>
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
