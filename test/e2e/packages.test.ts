import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/source.js';

const packages = readdirSync(join(root, 'packages'));

describe('what would be published', () => {
  it.each(packages)('%s holds together', async (name) => {
    const { messages, pkg } = await publint({ pkgDir: join(root, 'packages', name), pack: false, level: 'warning' });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });
});
