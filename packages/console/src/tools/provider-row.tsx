import type { GradeReason, ProviderVerdict, ToolView } from '@plugboard/contract';
import { useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { useToolAdaptation } from '../api/tools.js';
import { Badge } from '../ui/badge.js';
import { Failure } from '../ui/failure.js';
import { Skeleton } from '../ui/skeleton.js';
import { Reasons } from './reasons.js';
import { SchemaDiff } from './schema-diff.js';
import { verdictWords } from './tool-words.js';

const reasonsOf = (verdict: ProviderVerdict): readonly GradeReason[] => {
  switch (verdict.verdict) {
    case 'ok':
      return [];
    case 'rewritten':
      return verdict.changes;
    case 'rejected':
      return verdict.reasons;
    default:
      return verdict satisfies never;
  }
};

/** The tool before and after the rewrites for a provider. */
const Rewritten = ({ tool, profile }: { readonly tool: ToolView; readonly profile: string }) => {
  const adaptation = useToolAdaptation({ serverId: tool.server_id, toolId: tool.id }, profile);
  if (adaptation.isError) return <Failure error={toApiError(adaptation.error)} />;
  if (adaptation.data === undefined) return <Skeleton lines={3} />;
  const { name, description, inputSchema } = adaptation.data.definition;
  return (
    <SchemaDiff
      label={`Before and after for ${profile}`}
      before={{ name: tool.upstream_name, description: tool.description ?? undefined, inputSchema: tool.input_schema }}
      after={{ name, description, inputSchema }}
    />
  );
};

interface ProviderRowProps {
  readonly tool: ToolView;
  readonly profile: string;
  readonly verdict: ProviderVerdict;
}

/** What a provider makes of a tool, and why. */
export const ProviderRow = ({ tool, profile, verdict }: ProviderRowProps) => {
  const { tone, word } = verdictWords(verdict);
  const [open, setOpen] = useState(false);
  const reasons = reasonsOf(verdict);
  return (
    <li className="preview">
      <span className="row-name">{profile}</span>
      <Badge tone={tone}>{word}</Badge>
      {reasons.length === 0 ? null : (
        <details className="preview-note" onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{verdict.verdict === 'rejected' ? 'Why' : 'What changes, and why'}</summary>
          <div className="stack">
            <Reasons reasons={reasons} />
            {open && verdict.verdict === 'rewritten' ? <Rewritten tool={tool} profile={profile} /> : null}
          </div>
        </details>
      )}
    </li>
  );
};
