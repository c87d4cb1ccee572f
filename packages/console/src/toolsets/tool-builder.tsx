import type { ToolsetEntry, ToolView } from '@plugboard/contract';
import { Plus } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useToolSearch } from '../api/tool-search.js';
import { Button } from '../ui/button.js';
import { SearchBox } from '../ui/search-box.js';
import { VirtualList } from '../ui/virtual-list.js';
import { visible } from '../ui/format-text.js';
import { sameTool } from './toolset-draft.js';

const ROW_PX = 45;
/** A page cannot read what is dragged before it is dropped, but the kinds of it. */
const KIND = 'application/x-plugboard-tool';

interface ToolBuilderProps {
  readonly entries: readonly ToolsetEntry[];
  readonly onPick: (tool: ToolView) => void;
  /** The chosen tools, onto which others can be dragged. */
  readonly children: ReactNode;
}

/** All tools on one side, the chosen ones on the other. A tool is taken over by its button, or dragged. */
export const ToolBuilder = ({ entries, onPick, children }: ToolBuilderProps) => {
  const { search, setSearch, tools, more } = useToolSearch();
  const dragged = useRef<ToolView | undefined>(undefined);
  const [over, setOver] = useState(false);
  const isTool = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(KIND);
  return (
    <div className="builder">
      <section className="fill builder-part" aria-label="All tools">
        <SearchBox label="Search tools to add" value={search} wide onChange={setSearch} />
        <VirtualList
          items={tools}
          keyOf={({ id }) => id}
          rowHeight={ROW_PX}
          label="Tools to add"
          onEnd={more}
          row={(tool) => {
            const chosen = entries.some((entry) => sameTool(entry, tool));
            return (
              <div
                className="row pick-row"
                draggable={!chosen}
                onDragStart={({ dataTransfer }) => {
                  dragged.current = tool;
                  dataTransfer.setData(KIND, '');
                  dataTransfer.effectAllowed = 'copy';
                }}
              >
                <span className="row-name">
                  {visible(tool.upstream_name)}{' '}
                  <span className="quiet row-server">{visible(tool.metadata.mcp.server_name)}</span>
                </span>
                <Button
                  look="bare"
                  icon={<Plus size={15} />}
                  aria-label={`Add ${tool.upstream_name}`}
                  title={chosen ? 'Chosen already' : 'Add'}
                  disabled={chosen}
                  onClick={() => onPick(tool)}
                />
              </div>
            );
          }}
        />
      </section>
      <section
        className={`stack builder-part ${over ? 'drop' : ''}`}
        aria-label="Tools of the toolset"
        onDragOver={(event) => {
          if (!isTool(event)) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          setOver(false);
          if (!isTool(event) || dragged.current === undefined) return;
          event.preventDefault();
          onPick(dragged.current);
        }}
      >
        {children}
      </section>
    </div>
  );
};
