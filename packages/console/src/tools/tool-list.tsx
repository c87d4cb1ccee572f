import { useMemo } from 'react';
import { toApiError } from '../api/api-error.js';
import { useNextPage } from '../api/next-page.js';
import { type ToolFilter, useTools } from '../api/tools.js';
import { Failure } from '../ui/failure.js';
import { Skeleton } from '../ui/skeleton.js';
import { VirtualList } from '../ui/virtual-list.js';
import { ToolRow } from './tool-row.js';

const ROW_PX = 53;

/** Tools that fit, however many; further pages are read while somebody scrolls. */
export const ToolList = ({ filter, empty }: { readonly filter: ToolFilter; readonly empty: string }) => {
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
