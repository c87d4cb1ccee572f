import type { ServerView } from '@plugboard/contract';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useMcp } from '../api/mcp/use-mcp.js';
import { firstReady, useServers } from '../api/servers.js';
import { Choice } from '../ui/choice.js';
import { Empty } from '../ui/empty.js';
import { Failure } from '../ui/failure.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';
import { Tabs } from '../ui/tabs.js';
import { visible } from '../ui/format-text.js';
import { OfferList } from './offer-list.js';
import {
  type OfferedPrompt,
  type OfferedResource,
  type OfferedTemplate,
  promptIn,
  resourceIn,
  templateIn,
} from './offer.js';
import { PromptDetail } from './prompt-detail.js';
import { type ListRequest, useOffer } from './read-offer.js';
import { ResourceDetail } from './resource-detail.js';
import { TemplateDetail } from './template-detail.js';

const RESOURCES: ListRequest<OfferedResource> = { method: 'resources/list', member: 'resources', parse: resourceIn };
const TEMPLATES: ListRequest<OfferedTemplate> = {
  method: 'resources/templates/list',
  member: 'resourceTemplates',
  parse: templateIn,
};
const PROMPTS: ListRequest<OfferedPrompt> = { method: 'prompts/list', member: 'prompts', parse: promptIn };

const uriOf = ({ uri }: OfferedResource): string => uri;
const templateOf = ({ template }: OfferedTemplate): string => template;
const nameOf = ({ name }: { readonly name: string }): string => name;

const Offer = ({
  server,
  tab,
  onTab,
}: {
  readonly server: string;
  readonly tab: string;
  readonly onTab: (id: string) => void;
}) => {
  const mcp = useMcp(`/servers/${encodeURIComponent(server)}/mcp`);
  const resources = useOffer(server, mcp, RESOURCES);
  const templates = useOffer(server, mcp, TEMPLATES);
  const prompts = useOffer(server, mcp, PROMPTS);
  const [chosen, setChosen] = useState<string | undefined>();
  const pick = { chosen, onPick: setChosen };
  return (
    <Tabs
      label="What the server offers"
      value={tab}
      onChange={onTab}
      tabs={[
        {
          id: 'resources',
          title: `Resources ${resources.data?.length ?? ''}`,
          content: () => (
            <OfferList
              kind="resource"
              offer={resources}
              keyOf={uriOf}
              titleOf={nameOf}
              noteOf={uriOf}
              {...pick}
              detail={({ uri, name, description, mimeType }) => (
                <ResourceDetail
                  key={uri}
                  mcp={mcp}
                  uri={uri}
                  title={name || uri}
                  description={description}
                  mimeType={mimeType}
                />
              )}
            />
          ),
        },
        {
          id: 'templates',
          title: `Templates ${templates.data?.length ?? ''}`,
          content: () => (
            <OfferList
              kind="template"
              offer={templates}
              keyOf={templateOf}
              titleOf={nameOf}
              noteOf={templateOf}
              {...pick}
              detail={(offered) => <TemplateDetail key={offered.template} mcp={mcp} offered={offered} />}
            />
          ),
        },
        {
          id: 'prompts',
          title: `Prompts ${prompts.data?.length ?? ''}`,
          content: () => (
            <OfferList
              kind="prompt"
              offer={prompts}
              keyOf={nameOf}
              titleOf={({ title }) => title}
              noteOf={({ description }) => description}
              {...pick}
              detail={(prompt) => <PromptDetail key={prompt.name} mcp={mcp} prompt={prompt} />}
            />
          ),
        },
      ]}
    />
  );
};

const Chooser = ({
  servers,
  chosen,
  onPick,
}: {
  readonly servers: readonly ServerView[];
  readonly chosen: string;
  readonly onPick: (id: string) => void;
}) => (
  <div className="filters">
    <Choice
      label="Server"
      value={chosen}
      options={servers.map(({ id, server_name }) => [id, visible(server_name)] as const)}
      onChange={onPick}
    />
  </div>
);

/** Everything that a server offers beside tools. */
export const ResourcesPage = () => {
  const servers = useServers();
  const [, navigate] = useLocation();
  const { id, tab = 'resources' } = useParams<{ id?: string; tab?: string }>();
  const usable = (servers.data ?? []).filter(({ enabled }) => enabled);
  const server = usable.find((one) => one.id === id) ?? firstReady(usable);
  return (
    <Page
      title="Resources"
      about="Resources and prompts of your servers. The page reads them as an MCP client, as an agent would."
    >
      {servers.isError ? <Failure error={toApiError(servers.error)} /> : null}
      {servers.data === undefined && !servers.isError ? <Skeleton /> : null}
      {servers.data !== undefined && server === undefined ? (
        <Empty title="No servers yet">
          <p>
            <Link href="/servers/new">Add a server</Link>. What it offers beside tools is shown here.
          </p>
        </Empty>
      ) : null}
      {server === undefined ? null : (
        <>
          <Chooser servers={usable} chosen={server.id} onPick={(next) => navigate(`/resources/${next}/${tab}`)} />
          <Offer
            key={server.id}
            server={server.server_name}
            tab={tab}
            onTab={(next) => navigate(`/resources/${server.id}/${next}`, { replace: true })}
          />
        </>
      )}
    </Page>
  );
};
