import type { CallPeriod, ServerView } from '@plugboard/contract';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useServers } from '../api/servers.js';
import { useCallHistory } from '../api/watch.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Empty } from '../ui/empty.js';
import { Failure } from '../ui/failure.js';
import { Page } from '../ui/page.js';
import { SearchBox } from '../ui/search-box.js';
import { Skeleton } from '../ui/skeleton.js';
import { Sparkline } from '../ui/sparkline.js';
import { VirtualList } from '../ui/virtual-list.js';
import { counted, milliseconds, sentence, visible } from '../ui/format-text.js';
import { byUrgency, stateOf } from './server-state.js';

const ROW_PX = 52;

const TRANSPORTS: Readonly<Record<ServerView['mcp_server_type'], string>> = {
  stdio: 'stdio',
  sse: 'HTTP+SSE',
  streamable_http: 'HTTP',
};

const Latency = ({ periods }: { readonly periods: readonly CallPeriod[] | undefined }) => {
  const last = periods?.at(-1);
  if (periods === undefined || last === undefined) return <span className="row-fact quiet wide-only">no calls</span>;
  return (
    <span className="row-fact quiet wide-only latency" title="Median duration of calls in the last hour">
      <Sparkline
        values={periods.map(({ p50_ms }) => p50_ms)}
        label={`Median duration of calls in the last hour, at last ${milliseconds(last.p50_ms)}`}
      />
      {milliseconds(last.p50_ms)}
    </span>
  );
};

const Row = ({
  server,
  periods,
}: {
  readonly server: ServerView;
  readonly periods: readonly CallPeriod[] | undefined;
}) => {
  const { word, tone, problem, hint } = stateOf(server);
  const { protocol } = server;
  return (
    <Link href={`/servers/${server.id}`} className="row server-row">
      <span className="row-name">{visible(server.server_name)}</span>
      <span className="row-state">
        <Badge tone={tone}>{word}</Badge>
      </span>
      <span className="row-fact quiet">{counted(server.tool_count, 'tool')}</span>
      <Latency periods={periods} />
      <span className="row-fact quiet wide-only">{TRANSPORTS[server.mcp_server_type]}</span>
      <span className="row-fact quiet wide-only">
        {protocol === null ? '–' : `${protocol.era} ${protocol.revision}`}
      </span>
      {problem === undefined ? null : (
        <span className="row-problem quiet">
          {visible(hint === undefined ? problem : `${sentence(problem)} ${hint}`)}
        </span>
      )}
    </Link>
  );
};

const fits = (server: ServerView, needle: string): boolean =>
  server.server_name.toLowerCase().includes(needle) || stateOf(server).word.toLowerCase().includes(needle);

export const ServersPage = () => {
  const servers = useServers();
  const history = useCallHistory();
  const periods = useMemo(
    () => new Map(history.data?.servers.map(({ server, periods: own }) => [server, own])),
    [history.data],
  );
  const [, navigate] = useLocation();
  const [search, setSearch] = useState('');
  const shown = useMemo(() => {
    const needle = search.trim().toLowerCase();
    return (servers.data ?? []).filter((server) => needle === '' || fits(server, needle)).sort(byUrgency);
  }, [servers.data, search]);
  if (servers.isError && servers.data === undefined) {
    return (
      <Page title="Servers">
        <Failure error={toApiError(servers.error)} />
      </Page>
    );
  }
  return (
    <Page
      title="Servers"
      about="Every MCP server behind this hub. Servers that need attention come first."
      actions={
        <Button look="main" icon={<Plus size={16} />} onClick={() => navigate('/servers/new')}>
          Add server
        </Button>
      }
    >
      {servers.data === undefined ? (
        <Skeleton lines={8} />
      ) : servers.data.length === 0 ? (
        <Empty title="No servers yet">
          <p>
            <Link href="/servers/new">Add a server</Link>, <Link href="/servers/new/paste">import a configuration</Link>{' '}
            or <Link href="/home">try the samples</Link>: the tools become part of one MCP endpoint.
          </p>
        </Empty>
      ) : (
        <>
          <SearchBox label="Filter servers" placeholder="Filter by name or state" value={search} onChange={setSearch} />
          <VirtualList
            items={shown}
            keyOf={({ id }) => id}
            rowHeight={ROW_PX}
            label="Servers"
            row={(server) => <Row server={server} periods={periods.get(server.server_name)} />}
          />
          {shown.length === 0 ? <p className="quiet">No server fits “{search}”.</p> : null}
        </>
      )}
    </Page>
  );
};
