import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { adaptTool } from '../adapt/adapt-tool.js';
import { lintServers } from '../lint/lint.js';
import { checkTool, isAccepted } from '../profile/check-against-profile.js';
import { PROFILE_IDS, PROFILES } from '../profile/registry.js';
import { renderProviderDocs, type CorpusServer } from './provider-docs.js';

const CORPUS = path.join(import.meta.dirname, '..', '..', 'corpus');
const PAGE = path.join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'provider-compatibility.md');
const DEADLINE = 180_000;

let servers: readonly CorpusServer[] = [];

beforeAll(async () => {
  const files = await readdir(CORPUS);
  servers = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(path.join(CORPUS, file), 'utf8')) as CorpusServer),
  );
});

describe('the corpus', () => {
  it('holds what real servers publish, with name, version and day', () => {
    expect(servers.flatMap(({ tools }) => tools).length).toBeGreaterThanOrEqual(150);
    for (const server of servers) {
      expect(server.package).toMatch(/^(?:@[\w.-]+\/)?[\w.-]+$/u);
      expect(server.version).toMatch(/^\d+\.\d+\.\d+/u);
      expect(server.collected).toMatch(/^\d{4}-\d\d-\d\d$/u);
      expect(server.tools.length).toBeGreaterThan(0);
    }
  });

  it.each(PROFILE_IDS)(
    'is taken by %s once it is adapted, or rejected with a reason',
    (id) => {
      for (const tool of servers.flatMap(({ tools }) => tools)) {
        const { verdict, definition, reasons } = adaptTool(tool, id);
        if (verdict === 'rejected') expect(reasons.length).toBeGreaterThan(0);
        else expect(isAccepted(checkTool(definition, PROFILES[id]))).toBe(true);
        // only the directory asks for hints, and those cannot be made up
        if (id !== 'claude-connectors') expect(verdict).not.toBe('rejected');
      }
    },
    DEADLINE,
  );

  // each of these was looked at: they are what the rule says, and none of them is an attack
  it(
    'raises only alarms that somebody has looked at',
    () => {
      const alarms = lintServers(
        servers.map(({ package: name, tools, instructions }) => ({ name, tools, instructions })),
      ).filter(({ level, rule }) => level === 'error' || rule === 'LNT-22');
      expect(alarms.map(({ name, server, tool }) => `${name} ${server} ${tool}`).sort()).toEqual([
        'cross-tool-directive @sanity/mcp-server get_initial_context',
        'cross-tool-directive webflow-mcp-server webflow_guide_tool',
        'hidden-unicode @larksuiteoapi/lark-mcp im_v1_message_list',
      ]);
    },
    DEADLINE,
  );
});

describe('docs/provider-compatibility.md', () => {
  it(
    'is what the corpus says today',
    async () => {
      const page = await readFile(PAGE, 'utf8');
      // regenerate with: npm run build && node scripts/generate-provider-docs.mjs
      expect(page).toBe(renderProviderDocs(servers));
    },
    DEADLINE,
  );
});
