import type { AuditEntry, ToolView } from '@plugboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useLocation } from 'wouter';
import { useServers } from '../api/servers.js';
import { useUpstreamTool } from '../api/tools.js';
import { leaveReplay } from '../replay/replay.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { type Fact, FactList } from '../ui/fact-list.js';
import { JsonView } from '../ui/json-view.js';
import { milliseconds, visible } from '../ui/format-text.js';
import { argumentsOf, resultOf, toolOf, phaseBars } from './recorded-call.js';

const Facts = ({ entry }: { readonly entry: AuditEntry }) => {
  const { endpoint, trace_id: trace, call_id: call } = entry.details;
  const rows: readonly Fact[] = [
    ['Outcome', <Badge tone={entry.outcome === 'ok' ? 'good' : 'bad'}>{visible(entry.outcome)}</Badge>],
    ['Ended', new Date(entry.at).toLocaleString()],
    ['Took', milliseconds(entry.duration_ms)],
    ['Caller', visible(entry.actor)],
    ['Endpoint', typeof endpoint === 'string' ? visible(endpoint) : '–'],
    ...(typeof trace === 'string' ? [['Trace', <code>{visible(trace)}</code>] as const] : []),
    ...(typeof call === 'string' ? [['Call', <code>{visible(call)}</code>] as const] : []),
  ];
  return <FactList facts={rows} />;
};

const ReplayButton = ({ entry, tool }: { readonly entry: AuditEntry; readonly tool: ToolView }) => {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const recorded = argumentsOf(entry);
  return (
    <Button
      look="main"
      icon={<RotateCw size={15} />}
      onClick={() => {
        leaveReplay(queries, tool.id, recorded.kept ? { args: recorded.args } : { missing: recorded.kinds });
        navigate(`/tools/${tool.server_id}/${tool.id}/try`);
      }}
    >
      {recorded.kept ? 'Replay' : 'Fill in and replay'}
    </Button>
  );
};

/** Where the time of a call went. */
const CallPhases = ({ entry }: { readonly entry: AuditEntry }) => {
  const bars = phaseBars(entry);
  return (
    <section className="stack tight">
      <h3>Phases</h3>
      {bars.length === 0 ? (
        <p className="quiet">
          Total only: the call took the fast path, where the hub measures no phases, or the hub answered it itself.
        </p>
      ) : (
        <ul className="phases" aria-label="Phases">
          {bars.map(({ phase, words, ms, start, width }) => (
            <li key={phase} className="phase">
              <span>{words}</span>
              <span className="waterfall" aria-hidden="true">
                <span className="waterfall-bar good" style={{ left: `${start * 100}%`, width: `${width * 100}%` }} />
              </span>
              <span className="quiet">{milliseconds(ms)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

/** One call: what is known of it, and the way to make it again. */
export const CallDialog = ({ entry, onClose }: { readonly entry: AuditEntry; readonly onClose: () => void }) => {
  const named = toolOf(entry);
  const servers = useServers();
  const server = servers.data?.find(({ server_name }) => server_name === named?.server);
  const tool = useUpstreamTool(server?.id, named?.tool ?? '');
  const recorded = argumentsOf(entry);
  const result = resultOf(entry);
  return (
    <Dialog title={visible(entry.target)} open wide onOpenChange={(open) => !open && onClose()}>
      <Facts entry={entry} />
      <CallPhases entry={entry} />
      <section className="stack tight">
        <h3>Arguments</h3>
        <JsonView value={recorded.kept ? recorded.args : recorded.kinds} />
        <p className="quiet">
          {recorded.kept
            ? 'This hub keeps the values of arguments (observe.auditArguments).'
            : 'The hub keeps names and kinds of arguments, not their values.'}
        </p>
      </section>
      <section className="stack tight">
        <h3>Result</h3>
        {result === undefined ? (
          <p className="quiet">
            Results are not kept: they may hold private data. To keep them, cut to 8 KiB, set{' '}
            <code>observe.auditResults</code> in <code>plugboard.json</code>. Calls of tools then take the full path.
          </p>
        ) : (
          <>
            <JsonView value={result.value} />
            <p className="quiet">
              Values under telling names are hidden. {result.cut ? 'The result was longer than what is kept.' : ''}
            </p>
          </>
        )}
      </section>
      <div className="actions end">
        {tool.data === undefined || tool.data === null ? (
          <span className="quiet">{servers.isPending || tool.isFetching ? '' : 'The tool no longer exists.'}</span>
        ) : (
          <ReplayButton entry={entry} tool={tool.data} />
        )}
      </div>
    </Dialog>
  );
};
