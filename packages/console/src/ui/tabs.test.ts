import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Tabs } from './tabs.js';

const shown = (value: string): string =>
  renderToStaticMarkup(
    createElement(Tabs, {
      label: 'About it',
      value,
      onChange: () => undefined,
      tabs: [
        { id: 'tools', title: 'Tools', content: () => 'its tools' },
        { id: 'log', title: 'Log', content: () => 'its log' },
      ],
    }),
  );

it.each([
  ['tools', 'its tools', 'its log'],
  ['log', 'its log', 'its tools'],
  ['logs', 'its tools', 'its log'],
])('shows a tab, and the first one when there is no such tab: %s', (value, content, other) => {
  expect(shown(value)).toContain(content);
  expect(shown(value)).not.toContain(other);
});
