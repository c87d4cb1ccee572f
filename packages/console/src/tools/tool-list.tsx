import { type ReactNode, useMemo } from 'react';
import type { ToolView } from '@plugboard/contract';
import { Link } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useNextPage } from '../api/next-page.js';
import { type ToolFilter, useTools } from '../api/tools.js';
import { Failure } from '../ui/failure.js';
import { Skeleton } from '../ui/skeleton.js';
import { VirtualList } from '../ui/virtual-list.js';
import { Badge } from '../ui/badge.js';
import { visible } from '../ui/format-text.js';
import { gradeBadge } from './tool-words.js';

const ROW_PX = 53;

const MAX_DESCRIPTION = 300;

const ToolRow = ({ tool, withServer }: { readonly tool: ToolView; readonly withServer: boolean }) => {
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

/** Tools that fit, however many; further pages are read while somebody scrolls. */
export const ToolList = ({ filter, empty }: { readonly filter: ToolFilter; readonly empty: ReactNode }) => {
  const found = useTools(filter);
  const { data, error, isError } = found;
  const more = useNextPage(found);
  const tools = useMemo(() => (data?.pages ?? []).flatMap(({ entries }) => entries), [data]);
  if (isError && data === undefined) return <Failure error={toApiError(error)} />;
  if (data === undefined) return <Skeleton lines={8} />;
  if (tools.length === 0) return <p className="quiet">{empty}</p>;
  return (
    <VirtualList
      items={tools}
      keyOf={({ id }) => id}
      rowHeight={ROW_PX}
      label="Tools"
      onEnd={more}
      row={(tool) => <ToolRow tool={tool} withServer={filter.server_id === undefined} />}
    />
  );
};
