import type { Quarantine, ToolView } from '@plugboard/contract';
import { toApiError } from '../api/api-error.js';
import { useApproveTool } from '../api/tools.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { useToast } from '../ui/toast.js';
import { ago, visible } from '../ui/words.js';

/** The tool changed since it was accepted: what changed, and the button that accepts it. */
export const Approval = ({ tool, quarantine }: { readonly tool: ToolView; readonly quarantine: Quarantine }) => {
  const approve = useApproveTool({ serverId: tool.server_id, toolId: tool.id });
  const tell = useToast();
  return (
    <Notice
      tone="warn"
      title={`This tool changed ${ago(quarantine.since)}. Agents do not get it until you approve the change.`}
      actions={
        <Button
          look="main"
          busy={approve.isPending}
          onClick={() =>
            approve.mutate(tool.contract_hash, {
              onSuccess: () => tell('Approved. Agents get the tool again.'),
              onError: (thrown) => tell(toApiError(thrown).message, 'bad'),
            })
          }
        >
          Approve this definition
        </Button>
      }
    >
      <ul className="facts-list">
        {quarantine.changes.map(({ code, pointer, sentence }) => (
          <li key={`${code} ${pointer}`}>
            {visible(sentence)} {pointer === '' ? null : <code>{visible(pointer)}</code>}
          </li>
        ))}
      </ul>
    </Notice>
  );
};
