import type { ToolView } from '@plugboard/contract';
import { Link, useLocation, useParams } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useTool, useUpdateTool } from '../api/tools.js';
import { Badge } from '../ui/badge.js';
import { Boundary } from '../ui/boundary.js';
import { Button } from '../ui/button.js';
import { Failure } from '../ui/failure.js';
import { JsonView } from '../ui/json-view.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';
import { Tabs } from '../ui/tabs.js';
import { useToast } from '../ui/toast.js';
import { LongText } from '../ui/long-text.js';
import { visible } from '../ui/format-text.js';
import { ChangeDecision } from './change-decision.js';
import { ProviderRow } from './provider-row.js';
import { Reasons } from './reasons.js';
import { SchemaDiff } from './schema-diff.js';
import { SchemaTree } from './schema-tree.js';
import { gradeBadge, gradeWords } from './tool-words.js';
import { TryIt } from './try-it.js';

const SHORT_HASH = 12;

/** The definition that was accepted. One that cannot be used never is. */
const pinOf = ({ quarantine, grade, contract_hash }: ToolView): string | undefined =>
  quarantine?.accepted_hash ?? (grade.status === 'INVALID' ? undefined : contract_hash);

const Definition = ({ tool }: { readonly tool: ToolView }) => (
  <div className="stack">
    <LongText text={tool.description ?? 'It has no description.'} />
    <h2>Arguments</h2>
    <Boundary fallback={<JsonView value={tool.input_schema} />}>
      <SchemaTree schema={tool.input_schema} empty="It takes no arguments." />
    </Boundary>
    {tool.output_schema === undefined || tool.output_schema === null ? null : (
      <>
        <h2>Structured content of its result</h2>
        <Boundary fallback={<JsonView value={tool.output_schema} />}>
          <SchemaTree schema={tool.output_schema} empty="Its output schema names no members." />
        </Boundary>
      </>
    )}
    {Object.entries(tool.annotations ?? {}).length === 0 ? null : (
      <p className="actions">
        {Object.entries(tool.annotations ?? {}).map(([name, value]) => (
          <Badge key={name} tone="quiet">{`${name}: ${visible(String(value))}`}</Badge>
        ))}
      </p>
    )}
    {pinOf(tool) === undefined ? null : (
      <p className="quiet">
        Accepted definition: <code title={pinOf(tool)}>{pinOf(tool)?.slice(0, SHORT_HASH)}</code>
        {tool.quarantine === undefined ? '' : ', an earlier one'}. A changed definition is held until you approve it, as{' '}
        <code>guard.quarantine</code> says.
      </p>
    )}
    <details>
      <summary>The definition as the server sends it</summary>
      <JsonView
        value={{ name: tool.upstream_name, inputSchema: tool.input_schema, outputSchema: tool.output_schema }}
      />
    </details>
  </div>
);

const Quality = ({ tool }: { readonly tool: ToolView }) => {
  const { tone, word } = gradeWords(tool.grade.status);
  return (
    <div className="stack">
      <p className="actions">
        <Badge tone={tone}>{word}</Badge>
        <span className="quiet">
          {tool.grade.reasons.length === 0 ? 'Nothing to improve.' : 'Reasons for the grade:'}
        </span>
      </p>
      <Reasons reasons={tool.grade.reasons} />
      <h2>Providers</h2>
      <ul className="card">
        {Object.entries(tool.providers ?? {}).map(([profile, verdict]) => (
          <ProviderRow key={profile} tool={tool} profile={profile} verdict={verdict} />
        ))}
      </ul>
      {tool.normalised === undefined ? null : (
        <details>
          <summary>What the hub adds to the schema: before and after</summary>
          <SchemaDiff label="Before and after" before={tool.input_schema} after={tool.normalised.schema} />
        </details>
      )}
    </div>
  );
};

/** A tool that is held needs a decision about its change, and one that is invalid another definition. */
const canEnable = ({ quarantine, grade }: ToolView): boolean => quarantine === undefined && grade.status !== 'INVALID';

const Details = ({ tool }: { readonly tool: ToolView }) => {
  const [, navigate] = useLocation();
  const { tab = 'try' } = useParams<{ tab?: string }>();
  const address = { serverId: tool.server_id, toolId: tool.id };
  const update = useUpdateTool(address);
  const tell = useToast();
  const { tone, word } = gradeBadge(tool);
  return (
    <Page
      title={visible(tool.title ?? tool.upstream_name)}
      about={
        <>
          <Badge tone={tone}>{word}</Badge> <code>{visible(tool.name)}</code> of{' '}
          <Link href={`/servers/${tool.server_id}`}>{visible(tool.metadata.mcp.server_name)}</Link>
        </>
      }
      actions={
        tool.enabled || canEnable(tool) ? (
          <Button
            busy={update.isPending}
            onClick={() =>
              update.mutate(
                { enabled: !tool.enabled },
                {
                  onSuccess: ({ enabled }) =>
                    tell(enabled ? 'Agents get this tool again.' : 'Agents no longer get this tool.'),
                  onError: (thrown) => tell(toApiError(thrown).message, 'bad'),
                },
              )
            }
          >
            {tool.enabled ? 'Disable' : 'Enable'}
          </Button>
        ) : undefined
      }
    >
      {tool.quarantine === undefined ? null : <ChangeDecision tool={tool} quarantine={tool.quarantine} />}
      <Tabs
        label="About the tool"
        value={tab}
        onChange={(id) => navigate(`/tools/${tool.server_id}/${tool.id}/${id}`, { replace: true })}
        tabs={[
          { id: 'try', title: 'Try it', content: () => <TryIt key={tool.contract_hash} tool={tool} /> },
          { id: 'definition', title: 'Definition', content: () => <Definition tool={tool} /> },
          { id: 'quality', title: 'Grade and providers', content: () => <Quality tool={tool} /> },
        ]}
      />
    </Page>
  );
};

export const ToolPage = () => {
  const { serverId, toolId } = useParams<{ serverId: string; toolId: string }>();
  const tool = useTool({ serverId, toolId });
  if (tool.data !== undefined) return <Details tool={tool.data} />;
  return <Page title="Tool">{tool.isError ? <Failure error={toApiError(tool.error)} /> : <Skeleton lines={5} />}</Page>;
};
