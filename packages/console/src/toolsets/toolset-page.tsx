import type { OfferedEntry, ToolsetEntry, ToolsetView, ToolView } from '@plugboard/contract';
import { Minus, Plus } from 'lucide-react';
import { useLocation, useParams } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useToolSearch } from '../api/tool-search.js';
import { useDeleteToolset, useToolset, useUpdateToolset } from '../api/toolsets.js';
import { EndpointCard } from '../endpoint/endpoint-card.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { DeleteButton } from '../ui/delete-button.js';
import { Failure } from '../ui/failure.js';
import { Notice } from '../ui/notice.js';
import { Page } from '../ui/page.js';
import { SearchBox } from '../ui/search-box.js';
import { Skeleton } from '../ui/skeleton.js';
import { useToast } from '../ui/toast.js';
import { VirtualList } from '../ui/virtual-list.js';
import { counted, visible } from '../ui/words.js';
import { hiding, renamed, sameTool, withoutTool, withTool } from './toolset-draft.js';

const ROW_PX = 45;

const PROFILES = [
  '',
  'openai-strict',
  'openai',
  'anthropic-strict',
  'anthropic',
  'gemini',
  'bedrock',
  'cursor',
  'vscode',
];

const Picker = ({
  entries,
  onPick,
}: {
  readonly entries: readonly ToolsetEntry[];
  readonly onPick: (tool: ToolView) => void;
}) => {
  const { search, setSearch, tools, more } = useToolSearch();
  return (
    <section className="fill builder-part" aria-label="All tools">
      <SearchBox label="Search tools to add" value={search} wide onChange={setSearch} />
      <VirtualList
        items={tools}
        keyOf={({ id }) => id}
        rowHeight={ROW_PX}
        label="Tools to add"
        onEnd={more}
        row={(tool) => (
          <div className="row pick-row">
            <span className="row-name">
              {visible(tool.upstream_name)}{' '}
              <span className="quiet row-server">{visible(tool.metadata.mcp.server_name)}</span>
            </span>
            <Button
              look="bare"
              icon={<Plus size={15} />}
              aria-label={`Add ${tool.upstream_name}`}
              disabled={entries.some((entry) => sameTool(entry, tool))}
              onClick={() => onPick(tool)}
            />
          </div>
        )}
      />
    </section>
  );
};

interface ChosenProps {
  readonly entries: readonly ToolsetEntry[];
  readonly offered: readonly OfferedEntry[];
  readonly onChange: (entries: readonly ToolsetEntry[]) => void;
}

const Chosen = ({ entries, offered, onChange }: ChosenProps) => (
  <section className="stack builder-part" aria-label="Tools of the toolset">
    {entries.length === 0 ? <p className="quiet">Add tools from the list. Nothing is offered yet.</p> : null}
    {entries.map((entry) => {
      const state = offered.find((one) => sameTool(one, entry));
      return (
        <div key={`${entry.server_id} ${entry.upstream_name}`} className="card padded stack tight">
          <div className="preview-head">
            <strong>{visible(entry.upstream_name)}</strong>
            {state === undefined || state.state === 'offered' ? null : <Badge tone="warn">{state.state}</Badge>}
            <Button
              look="bare"
              icon={<Minus size={15} />}
              aria-label={`Remove ${entry.upstream_name}`}
              onClick={() => onChange(withoutTool(entries, entry))}
            />
          </div>
          {state?.reason === undefined ? null : <p className="quiet">{visible(state.reason)}</p>}
          <div className="two">
            <input
              aria-label={`Name of ${entry.upstream_name} for models`}
              placeholder={state?.name ?? 'Name for models'}
              defaultValue={entry.name ?? ''}
              onBlur={(event) => onChange(renamed(entries, entry, event.target.value))}
            />
            <input
              aria-label={`Hidden arguments of ${entry.upstream_name}`}
              placeholder="Hidden arguments, with commas"
              defaultValue={entry.hidden_arguments?.join(', ') ?? ''}
              onBlur={(event) => onChange(hiding(entries, entry, event.target.value))}
            />
          </div>
        </div>
      );
    })}
  </section>
);

const DeleteToolset = ({ toolset }: { readonly toolset: ToolsetView }) => {
  const remove = useDeleteToolset(toolset.id);
  const [, navigate] = useLocation();
  const tell = useToast();
  const onConfirm = (): void =>
    remove.mutate(undefined, {
      onSuccess: () => navigate('/toolsets'),
      onError: (thrown) => tell(toApiError(thrown).message, 'bad'),
    });
  return (
    <DeleteButton kind="toolset" name={toolset.name} busy={remove.isPending} onConfirm={onConfirm}>
      Its endpoint stops at once. The tools themselves stay where they are.
    </DeleteButton>
  );
};

const Builder = ({ toolset }: { readonly toolset: ToolsetView }) => {
  const update = useUpdateToolset(toolset.id);
  const tell = useToast();
  const save = (change: Parameters<typeof update.mutate>[0]): void =>
    update.mutate(change, { onError: (thrown) => tell(toApiError(thrown).message, 'bad') });
  const { offer } = toolset;
  return (
    <Page
      title={visible(toolset.name)}
      about={
        offer === undefined ? undefined : `${counted(offer.tokens.listed, 'token')} for a model to read, estimated.`
      }
      actions={<DeleteToolset toolset={toolset} />}
    >
      <div className="filters">
        <label className="check-line">
          <input
            type="checkbox"
            checked={toolset.read_only}
            onChange={(event) => save({ read_only: event.target.checked })}
          />
          Read-only tools only
        </label>
        <label className="check-line">
          <input
            type="checkbox"
            checked={toolset.exposure === 'search'}
            onChange={(event) => save({ exposure: event.target.checked ? 'search' : 'all' })}
          />
          Offer a search instead of every tool
        </label>
        <Choice
          label="Adapt schemas to"
          value={toolset.provider ?? ''}
          options={PROFILES.map(
            (profile) => [profile, profile === '' ? 'Schemas as they are' : `Schemas for ${profile}`] as const,
          )}
          onChange={(picked) => save({ provider: picked === '' ? null : picked })}
        />
      </div>
      {offer === undefined || offer.tokens.saved <= 0 ? null : (
        <Notice tone="info">The search saves {counted(offer.tokens.saved, 'token')} of the list.</Notice>
      )}
      <div className="builder">
        <Picker entries={toolset.entries} onPick={(tool) => save({ entries: [...withTool(toolset.entries, tool)] })} />
        <Chosen
          entries={toolset.entries}
          offered={offer?.entries ?? []}
          onChange={(entries) => save({ entries: [...entries] })}
        />
      </div>
      <EndpointCard path={toolset.mcp_path} name={toolset.name} stdio={['--toolset', toolset.name]} />
    </Page>
  );
};

export const ToolsetPage = () => {
  const { id } = useParams<{ id: string }>();
  const toolset = useToolset(id);
  if (toolset.data !== undefined) return <Builder toolset={toolset.data} />;
  return <Page title="Toolset">{toolset.isError ? <Failure error={toApiError(toolset.error)} /> : <Skeleton />}</Page>;
};
