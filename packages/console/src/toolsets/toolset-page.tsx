import type { ProfileId, ToolsetEntry, ToolsetView } from '@plugboard/contract';
import { useEffect, useRef } from 'react';
import { useLocation, useParams } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useDeleteToolset, useToolset, useUpdateToolset } from '../api/toolsets.js';
import { EndpointCard } from '../endpoint/endpoint-card.js';
import { Choice } from '../ui/choice.js';
import { DeleteButton } from '../ui/delete-button.js';
import { Failure } from '../ui/failure.js';
import { Notice } from '../ui/notice.js';
import { Page } from '../ui/page.js';
import { RenameButton } from '../ui/rename-button.js';
import { Skeleton } from '../ui/skeleton.js';
import { useToast } from '../ui/toast.js';
import { counted, sentence, visible } from '../ui/format-text.js';
import { ChosenTools } from './chosen-tools.js';
import { ToolBuilder } from './tool-builder.js';
import { withoutTool, withTool } from './toolset-draft.js';

/** All of them, or it does not compile: the console takes only types from the contract, to stay small. */
const PROFILES: Readonly<Record<ProfileId, true>> = {
  'openai-strict': true,
  openai: true,
  azure: true,
  'anthropic-strict': true,
  anthropic: true,
  gemini: true,
  bedrock: true,
  cursor: true,
  vscode: true,
  'claude-code': true,
  'claude-connectors': true,
};

const described = ({ description }: ToolsetView): string => (description === null ? '' : `${sentence(description)} `);

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

const RenameToolset = ({ toolset }: { readonly toolset: ToolsetView }) => {
  const update = useUpdateToolset(toolset.id);
  return (
    <RenameButton
      named={toolset}
      help="Part of the address of its endpoint: clients need the new one."
      busy={update.isPending}
      error={update.isError ? toApiError(update.error) : undefined}
      onSubmit={(named, onSaved) => update.mutate(named, { onSuccess: onSaved })}
    />
  );
};

const Builder = ({ toolset }: { readonly toolset: ToolsetView }) => {
  const update = useUpdateToolset(toolset.id);
  const tell = useToast();
  const save = (change: Parameters<typeof update.mutate>[0]): void =>
    update.mutate(change, { onError: (thrown) => tell(toApiError(thrown).message, 'bad') });
  // Others may be added before somebody takes a removal back.
  const latest = useRef(toolset.entries);
  useEffect(() => {
    latest.current = toolset.entries;
  }, [toolset.entries]);
  const remove = (entry: ToolsetEntry): void =>
    update.mutate(
      { entries: [...withoutTool(toolset.entries, entry)] },
      {
        onSuccess: () =>
          tell(`${visible(entry.upstream_name)} was removed from the toolset.`, {
            undo: () => save({ entries: [...latest.current, entry] }),
          }),
        onError: (thrown) => tell(toApiError(thrown).message, 'bad'),
      },
    );
  const { offer } = toolset;
  return (
    <Page
      title={visible(toolset.name)}
      about={
        offer === undefined
          ? undefined
          : `${visible(described(toolset))}${counted(offer.tokens.listed, 'token')} for a model to read, estimated.`
      }
      actions={
        <>
          <RenameToolset toolset={toolset} />
          <DeleteToolset toolset={toolset} />
        </>
      }
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
          options={['', ...Object.keys(PROFILES)].map(
            (profile) => [profile, profile === '' ? 'Schemas as they are' : `Schemas for ${profile}`] as const,
          )}
          onChange={(picked) => save({ provider: picked === '' ? null : picked })}
        />
      </div>
      {offer === undefined || offer.tokens.saved <= 0 ? null : (
        <Notice tone="info">The search saves {counted(offer.tokens.saved, 'token')} of the list.</Notice>
      )}
      <ToolBuilder entries={toolset.entries} onPick={(tool) => save({ entries: [...withTool(toolset.entries, tool)] })}>
        <ChosenTools
          entries={toolset.entries}
          offered={offer?.entries ?? []}
          onChange={(entries) => save({ entries: [...entries] })}
          onRemove={remove}
        />
      </ToolBuilder>
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
