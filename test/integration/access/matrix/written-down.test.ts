import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditEntry } from '../../../../packages/contract/src/index.js';
import { setStage, type Stage } from './given.js';
import { RUN_ROUTE, RUN_WAY, WAYS } from './ways.js';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

const NAMES: Readonly<Record<string, readonly string[]>> = {
  '': ['files__read', 'files__wipe', 'nothing'],
  '/servers/files': ['read', 'wipe', 'nothing'],
  '/toolsets/narrow': ['look', 'files__wipe', 'nothing'],
  '/toolsets/found': ['look', 'files__wipe', 'nothing'],
  // What names no tool of the agent is refused before any call begins.
  [RUN_ROUTE]: ['read', 'files__write'],
};

const cases = [...WAYS, RUN_WAY].flatMap((way) =>
  Object.keys(NAMES)
    .filter((place) => way.isAt(place))
    .map((place) => [way.title, place, way] as const),
);

it.each(cases)(
  'each call over %s at "%s" is written down once, under the key that made it',
  async (title, place, way) => {
    const { agent, key } = await stage.agent(`${title} ${place}`.replaceAll(/\W+/gu, '-'), {
      server_ids: [stage.serverIds.files],
      deny_tool_ids: [stage.toolIds.get('wipe')],
      toolset_ids: [stage.toolsetIds.get('narrow'), stage.toolsetIds.get('found')],
    });
    const attempts = (NAMES[place] ?? []).map((name) => ({ name, args: { nonce: `${title} ${place} ${name}` } }));
    await way.call({ hub: stage.hub.url, key: key.key, agentId: agent.id }, place, attempts);
    const { json } = await stage.admin('GET', '/v1/audit?kind=call&limit=1000');
    const written = (json as readonly AuditEntry[]).filter(
      ({ actor, action }) => actor === key.id && action === 'tools/call',
    );
    expect(written).toHaveLength(attempts.length);
  },
);
