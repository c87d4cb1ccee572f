import type { ServerView } from '@plugboard/contract';
import { Plug, RefreshCw, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useRestartServer, useServer, useSyncServer, useUpdateServer, useDeleteServer } from '../api/servers.js';
import { ServerAvailability } from '../availability/server-availability.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Failure } from '../ui/failure.js';
import { Notice } from '../ui/notice.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';
import { Tabs } from '../ui/tabs.js';
import { useToast } from '../ui/toast.js';
import { visible, counted } from '../ui/format-text.js';
import { ConnectDialog } from './connect-dialog.js';
import { configOf, draftOf } from './server-draft.js';
import { ServerFacts } from './server-facts.js';
import { ServerForm } from './server-form.js';
import { ServerLog } from './server-log.js';
import { stateOf } from './server-state.js';
import { SyncReportView } from './sync-report-view.js';
import { DeleteButton } from '../ui/delete-button.js';
import { ToolList } from '../tools/tool-list.js';

const DeleteServer = ({ server }: { readonly server: ServerView }) => {
  const [, navigate] = useLocation();
  const tell = useToast();
  const remove = useDeleteServer(server.id);
  const onConfirm = (): void =>
    remove.mutate(undefined, {
      onSuccess: () => {
        tell(`${server.server_name} was deleted.`);
        navigate('/servers');
      },
      onError: (thrown) => tell(toApiError(thrown).message, 'bad'),
    });
  return (
    <DeleteButton kind="server" name={server.server_name} busy={remove.isPending} onConfirm={onConfirm}>
      Its {counted(server.tool_count, 'tool')}, its secrets, its logins and its log are deleted with it. Toolsets keep
      their entries, which then offer nothing. This cannot be undone.
    </DeleteButton>
  );
};

const Actions = ({ server }: { readonly server: ServerView }) => {
  const tell = useToast();
  const sync = useSyncServer(server.id);
  const restart = useRestartServer(server.id);
  const update = useUpdateServer(server.id);
  const [connecting, setConnecting] = useState(false);
  const failed = (thrown: unknown): void => tell(toApiError(thrown).message, 'bad');
  return (
    <>
      <Button
        icon={<RefreshCw size={15} />}
        busy={sync.isPending}
        disabled={!server.enabled}
        onClick={() =>
          sync.mutate(false, {
            onSuccess: ({ status, added, updated, deleted, error }) =>
              status === 'failed'
                ? tell(error?.message ?? 'The sync failed.', 'bad')
                : tell(`Synced: ${added.length} added, ${updated.length} updated, ${deleted.length} deleted.`),
            onError: failed,
          })
        }
      >
        Sync
      </Button>
      <Button
        icon={<RotateCw size={15} />}
        busy={restart.isPending}
        disabled={!server.enabled}
        onClick={() =>
          restart.mutate(undefined, {
            onSuccess: ({ sync: report }) =>
              report?.status === 'failed'
                ? tell(report.error?.message ?? 'It did not start.', 'bad')
                : tell('Restarted.'),
            onError: failed,
          })
        }
      >
        Restart
      </Button>
      {/* A program has no sign-in page. */}
      {server.mcp_server_type === 'stdio' ? null : (
        <Button icon={<Plug size={15} />} disabled={!server.enabled} onClick={() => setConnecting(true)}>
          Connect
        </Button>
      )}
      <Button
        busy={update.isPending}
        onClick={() =>
          update.mutate(
            { enabled: !server.enabled },
            { onSuccess: ({ enabled }) => tell(enabled ? 'Enabled.' : 'Disabled.'), onError: failed },
          )
        }
      >
        {server.enabled ? 'Disable' : 'Enable'}
      </Button>
      <DeleteServer server={server} />
      <ConnectDialog id={server.id} open={connecting} onOpenChange={setConnecting} />
    </>
  );
};

const Edit = ({ server, onDone }: { readonly server: ServerView; readonly onDone: () => void }) => {
  const update = useUpdateServer(server.id);
  const tell = useToast();
  return (
    <ServerForm
      start={draftOf(server)}
      action="Save"
      fixedType
      busy={update.isPending}
      error={update.error}
      onCancel={onDone}
      onSubmit={(draft) =>
        update.mutate(
          { server_name: draft.name.trim(), config: configOf(draft) },
          {
            onSuccess: () => {
              tell('Saved.');
              onDone();
            },
          },
        )
      }
    />
  );
};

const ServerTools = ({ id }: { readonly id: string }) => (
  <ToolList
    filter={{ server_id: id }}
    empty="No tools. If the server should have some, look at its last sync, or sync it again."
  />
);

const Details = ({ server }: { readonly server: ServerView }) => {
  const [, navigate] = useLocation();
  const { tab = 'tools' } = useParams<{ tab?: string }>();
  const { word, tone, problem, hint } = stateOf(server);
  const show = (id: string): void => navigate(`/servers/${server.id}/${id}`, { replace: true });
  return (
    <Page
      title={visible(server.server_name)}
      about={<Badge tone={tone}>{word}</Badge>}
      actions={<Actions server={server} />}
    >
      {problem === undefined ? null : (
        <Notice tone={tone === 'bad' ? 'bad' : 'warn'} title={problem}>
          {hint === undefined ? null : <p>{hint}</p>}
        </Notice>
      )}
      <Tabs
        label="About the server"
        value={tab}
        onChange={show}
        tabs={[
          { id: 'tools', title: `Tools ${server.tool_count}`, content: () => <ServerTools id={server.id} /> },
          { id: 'facts', title: 'Overview', content: () => <ServerFacts server={server} /> },
          { id: 'availability', title: 'Availability', content: () => <ServerAvailability id={server.id} /> },
          {
            id: 'sync',
            title: 'Last sync',
            content: () =>
              server.last_sync === null ? (
                <p className="quiet">Its tools were never read.</p>
              ) : (
                <SyncReportView report={server.last_sync} />
              ),
          },
          { id: 'log', title: 'Log', content: () => <ServerLog id={server.id} /> },
          { id: 'edit', title: 'Edit', content: () => <Edit server={server} onDone={() => show('facts')} /> },
        ]}
      />
    </Page>
  );
};

export const ServerPage = () => {
  const { id } = useParams<{ id: string }>();
  const server = useServer(id);
  if (server.data !== undefined) return <Details server={server.data} />;
  return (
    <Page title="Server">
      {server.isError ? (
        <Failure error={toApiError(server.error)} actions={<Link href="/servers">All servers</Link>} />
      ) : (
        <Skeleton lines={5} />
      )}
    </Page>
  );
};
