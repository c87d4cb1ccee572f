import type { ToolState } from '@plugboard/contract';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import { useServers } from '../api/servers.js';
import { Choice } from '../ui/choice.js';
import { Page } from '../ui/page.js';
import { SearchBox } from '../ui/search-box.js';
import { counted, visible } from '../ui/format-text.js';
import { ToolList } from './tool-list.js';

const STATES: readonly (readonly [ToolState | '', string])[] = [
  ['', 'All states'],
  ['offered', 'Offered to agents'],
  ['held', 'Awaiting approval'],
  ['rejected', 'Change rejected'],
  ['disabled', 'Disabled'],
];

const NONE: Readonly<Record<ToolState | '', ReactNode>> = {
  '': (
    <>
      No tools yet. <Link href="/servers/new">Add a server</Link>, or <Link href="/home">try the samples</Link>.
    </>
  ),
  offered: 'No tool is offered to agents.',
  held: 'No tool awaits approval. A tool that changes is held here until you approve or reject the change.',
  rejected: 'No change was rejected.',
  disabled: 'No tool is disabled.',
};

export const ToolsPage = () => {
  const [search, setSearch] = useState('');
  const [server, setServer] = useState('');
  const [state, setState] = useState<ToolState | ''>('');
  const typed = useDeferredValue(search.trim());
  const servers = useServers();
  const total = (servers.data ?? []).reduce((sum, { tool_count }) => sum + tool_count, 0);
  return (
    <Page
      title="Tools"
      about={`${servers.data === undefined ? '' : `${counted(total, 'tool')} of ${counted(servers.data.length, 'server')}. `}Open one to read its schema and try it.`}
    >
      <div className="filters">
        <SearchBox
          label="Search tools"
          placeholder="Search names and descriptions"
          value={search}
          onChange={setSearch}
        />
        <Choice
          label="Server"
          value={server}
          options={[
            ['', 'All servers'],
            ...(servers.data ?? []).map(({ id, server_name }) => [id, visible(server_name)] as const),
          ]}
          onChange={setServer}
        />
        <Choice label="State" value={state} options={STATES} onChange={setState} />
      </div>
      <ToolList
        filter={{
          search: typed === '' ? undefined : typed,
          server_id: server === '' ? undefined : server,
          state: state === '' ? undefined : state,
        }}
        empty={typed === '' ? NONE[state] : `No tool matches “${typed}”.`}
      />
    </Page>
  );
};
