import type { ReactNode } from 'react';

export type Fact = readonly [name: string, value: ReactNode];

/** What is known of one thing, by name. */
export const FactList = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className="facts">
    {facts.map(([name, value]) => (
      <div key={name} className="fact">
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
