import { useDeferredValue, useState } from 'react';
import { useServers } from '../api/servers.js';
import { Page } from '../ui/page.js';
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
        <input
          type="search"
          className="search"
          placeholder="Search names and descriptions"
          aria-label="Search tools"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <select aria-label="Server" value={server} onChange={(event) => setServer(event.target.value)}>
          <option value="">All servers</option>
          {(servers.data ?? []).map(({ id, server_name }) => (
            <option key={id} value={id}>
              {visible(server_name)}
            </option>
          ))}
        </select>
      </div>
      <ToolList
        filter={{ search: typed === '' ? undefined : typed, server_id: server === '' ? undefined : server }}
        empty={typed === '' ? 'No tools yet. Add a server, or sync one.' : `No tool fits “${typed}”.`}
      />
    </Page>
  );
};
