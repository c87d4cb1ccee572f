import { useDeferredValue, useState } from 'react';
import { useServers } from '../api/servers.js';
import { Choice } from '../ui/choice.js';
import { Page } from '../ui/page.js';
import { SearchBox } from '../ui/search-box.js';
import { counted, visible } from '../ui/words.js';
import { ToolList } from './tool-list.js';

export const ToolsPage = () => {
  const [search, setSearch] = useState('');
  const [server, setServer] = useState('');
  const typed = useDeferredValue(search.trim());
  const servers = useServers();
  const total = (servers.data ?? []).reduce((sum, { tool_count }) => sum + tool_count, 0);
  return (
    <Page
      title="Tools"
      about={`${counted(total, 'tool')} of ${counted(servers.data?.length ?? 0, 'server')}. Open one to read its schema and try it.`}
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
      </div>
      <ToolList
        filter={{ search: typed === '' ? undefined : typed, server_id: server === '' ? undefined : server }}
        empty={typed === '' ? 'No tools yet. Add a server, or sync one.' : `No tool fits “${typed}”.`}
      />
    </Page>
  );
};
