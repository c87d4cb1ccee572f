import { ClipboardPaste, FlaskConical, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useAddSamples, useServers } from '../api/servers.js';
import { EndpointCard } from '../endpoint/endpoint-card.js';
import { stateOf } from '../servers/server-state.js';
import { Page } from '../ui/page.js';
import { useToast } from '../ui/toast.js';
import { counted, visible } from '../ui/format-text.js';

const MAX_URGENT = 5;

const Shortcut = ({
  href,
  icon,
  title,
  children,
}: {
  readonly href: string;
  readonly icon: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
}) => (
  <Link href={href} className="shortcut">
    {icon}
    <strong>{title}</strong>
    <span className="quiet">{children}</span>
  </Link>
);

/** Adds the servers that come with the hub, and leads to their tools. */
const useSamples = () => {
  const add = useAddSamples();
  const [, navigate] = useLocation();
  const tell = useToast();
  const start = (): void =>
    add.mutate(undefined, {
      onSuccess: (servers) => {
        tell(`${counted(servers.length, 'sample server')} added.`);
        navigate('/tools');
      },
      onError: (thrown) => tell(toApiError(thrown).message, 'bad'),
    });
  return { start, starting: add.isPending };
};

const SamplesDoor = ({ start, starting }: ReturnType<typeof useSamples>) => (
  <button type="button" className="shortcut" disabled={starting} aria-busy={starting} onClick={start}>
    {starting ? <span className="spinner" aria-hidden="true" /> : <FlaskConical size={20} />}
    <strong>Try the samples</strong>
    <span className="quiet">
      {starting
        ? 'Starting the sample servers…'
        : 'Adds four servers that come with the hub: documents, collections, a sandbox for code, and examples.'}
    </span>
  </button>
);

/** What a person sees first: three ways in, how the hub is, and the endpoint to use it by. */
export const HomePage = () => {
  const { data } = useServers();
  const samples = useSamples();
  const servers = data ?? [];
  const urgent = servers.filter((server) => ['bad', 'warn'].includes(stateOf(server).tone));
  const tools = servers.reduce((sum, { tool_count }) => sum + tool_count, 0);
  return (
    <Page
      title={data?.length === 0 ? 'Welcome to Plugboard' : 'Home'}
      about="Register a server once, and every client uses its tools through one endpoint."
    >
      <div className="shortcuts">
        <Shortcut href="/servers/new" icon={<Plus size={20} />} title="Add a server">
          By its URL, or by the command that starts it.
        </Shortcut>
        <Shortcut href="/servers/new/paste" icon={<ClipboardPaste size={20} />} title="Import a configuration">
          Paste the JSON of Claude Desktop, Cursor or VS Code.
        </Shortcut>
        {/* Their tools arrive one by one: the door stays until all are there. */}
        {samples.starting || (data !== undefined && tools === 0) ? (
          <SamplesDoor {...samples} />
        ) : (
          <Shortcut href="/tools" icon={<FlaskConical size={20} />} title="Try a tool">
            {data === undefined ? 'Call it from this page.' : `${counted(tools, 'tool')} are ready to be called.`}
          </Shortcut>
        )}
      </div>
      <p className="actions">
        <Link href="/servers">{data === undefined ? 'Servers' : counted(servers.length, 'server')}</Link>
        {data === undefined ? null : urgent.length === 0 ? (
          <span className="quiet">None needs your attention.</span>
        ) : (
          <>
            <span className="quiet">{urgent.length === 1 ? '1 needs' : `${urgent.length} need`} your attention:</span>
            {urgent.slice(0, MAX_URGENT).map(({ id, server_name }) => (
              <Link key={id} href={`/servers/${id}`}>
                {visible(server_name)}
              </Link>
            ))}
            {urgent.length > MAX_URGENT ? <span className="quiet">…</span> : null}
          </>
        )}
      </p>
      <h2>Use every server in your client</h2>
      <EndpointCard path="/mcp" name="plugboard" stdio={[]} />
    </Page>
  );
};
