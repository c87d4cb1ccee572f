import type { ToolView } from '@plugboard/contract';
import { Link } from 'wouter';
import { Badge } from '../ui/badge.js';
import { visible } from '../ui/words.js';
import { gradeBadge } from './tool-words.js';

const MAX_DESCRIPTION = 300;

export const ToolRow = ({ tool, withServer }: { readonly tool: ToolView; readonly withServer: boolean }) => {
  const { tone, word } = gradeBadge(tool);
  return (
    <Link href={`/tools/${tool.server_id}/${tool.id}`} className="row tool-row">
      <span className="row-name">
        {visible(tool.upstream_name)}
        {withServer ? <span className="quiet row-server"> {visible(tool.metadata.mcp.server_name)}</span> : null}
      </span>
      <span className="row-state">
        <Badge tone={tone}>{word}</Badge>
      </span>
      <span className="row-note quiet">{visible((tool.description ?? '').slice(0, MAX_DESCRIPTION))}</span>
    </Link>
  );
};
