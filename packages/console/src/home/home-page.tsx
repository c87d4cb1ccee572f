import { ClipboardPaste, FlaskConical, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useServers } from '../api/servers.js';
import { EndpointCard } from '../endpoint/endpoint-card.js';
import { stateOf } from '../servers/server-state.js';
import { Page } from '../ui/page.js';
import { counted, visible } from '../ui/words.js';

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

/** What a person sees first: three ways in, how the hub is, and the endpoint to use it by. */
export const HomePage = () => {
  const { data: servers = [] } = useServers();
  const urgent = servers.filter((server) => ['bad', 'warn'].includes(stateOf(server).tone));
  const tools = servers.reduce((sum, { tool_count }) => sum + tool_count, 0);
  return (
    <Page
      title={servers.length === 0 ? 'Welcome to Plugboard' : 'Home'}
      about="Register a server once, and every client uses its tools through one endpoint."
    >
      <div className="shortcuts">
        <Shortcut href="/servers/new" icon={<Plus size={20} />} title="Add a server">
          By its URL, or by the command that starts it.
        </Shortcut>
        <Shortcut href="/servers/new/paste" icon={<ClipboardPaste size={20} />} title="Import a configuration">
          Paste the JSON of Claude Desktop, Cursor or VS Code.
        </Shortcut>
        <Shortcut href="/tools" icon={<FlaskConical size={20} />} title="Try a tool">
          {tools === 0
            ? 'Start the hub with --demo to get samples.'
            : `${counted(tools, 'tool')} are ready to be called.`}
        </Shortcut>
      </div>
      <p className="actions">
        <Link href="/servers">{counted(servers.length, 'server')}</Link>
        {urgent.length === 0 ? (
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
