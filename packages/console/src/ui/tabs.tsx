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

export const Tabs = ({ label, tabs, value, onChange }: TabsProps) => (
  <Primitive.Root className="tabs" value={value} onValueChange={onChange}>
    <Primitive.List className="tab-list" aria-label={label}>
      {tabs.map(({ id, title }) => (
        <Primitive.Trigger key={id} value={id} className="tab">
          {title}
        </Primitive.Trigger>
      ))}
    </Primitive.List>
    {tabs.map(({ id, content }) => (
      <Primitive.Content key={id} value={id} className="tab-panel">
        {value === id ? content() : null}
      </Primitive.Content>
    ))}
  </Primitive.Root>
);
