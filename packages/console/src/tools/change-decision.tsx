import type { Quarantine, ToolView } from '@plugboard/contract';
import { toApiError } from '../api/api-error.js';
import { useDecideTool } from '../api/tools.js';
import { Button } from '../ui/button.js';
import { ago, visible } from '../ui/format-text.js';
import { Notice } from '../ui/notice.js';
import { useToast } from '../ui/toast.js';

interface ChangeDecisionProps {
  readonly tool: ToolView;
  readonly quarantine: Quarantine;
}

/** The tool changed since it was accepted: what changed, and the buttons that accept or reject it. */
export const ChangeDecision = ({ tool, quarantine }: ChangeDecisionProps) => {
  const address = { serverId: tool.server_id, toolId: tool.id };
  const approve = useDecideTool(address, 'approve');
  const reject = useDecideTool(address, 'reject');
  const tell = useToast();
  const { since, changes, rejected_at: rejectedAt } = quarantine;
  const busy = approve.isPending || reject.isPending;
  const decide = ({ mutate }: typeof approve, done: string): void =>
    mutate(tool.contract_hash, {
      onSuccess: () => tell(done),
      onError: (thrown) => tell(toApiError(thrown).message, 'bad'),
    });
  return (
    <Notice
      tone={rejectedAt === undefined ? 'warn' : 'info'}
      title={
        rejectedAt === undefined
          ? `This tool changed ${ago(since)}. Agents do not get it until you approve the change.`
          : `The change of this tool was rejected ${ago(rejectedAt)}. Agents do not get it until its server takes the change back, or you approve it after all.`
      }
      actions={
        <>
          <Button
            look={rejectedAt === undefined ? 'main' : 'plain'}
            busy={busy}
            onClick={() => decide(approve, 'Approved. Agents get the tool again.')}
          >
            {rejectedAt === undefined ? 'Approve this definition' : 'Approve it after all'}
          </Button>
          {rejectedAt === undefined ? (
            <Button
              busy={busy}
              onClick={() => decide(reject, 'Rejected. Agents do not get the tool, and nobody is asked again.')}
            >
              Reject this definition
            </Button>
          ) : null}
        </>
      }
    >
      <ul className="facts-list">
        {changes.map(({ code, pointer, sentence }) => (
          <li key={`${code} ${pointer}`}>
            {visible(sentence)} {pointer === '' ? null : <code>{visible(pointer)}</code>}
          </li>
        ))}
      </ul>
    </Notice>
  );
};
