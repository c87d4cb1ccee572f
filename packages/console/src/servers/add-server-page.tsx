import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAddServer } from '../api/servers.js';
import { Page } from '../ui/page.js';
import { Tabs } from '../ui/tabs.js';
import { useToast } from '../ui/toast.js';
import { CatalogueForm } from './catalogue-form.js';
import { PasteForm } from './paste-form.js';
import { configOf, EMPTY_DRAFT } from './server-draft.js';
import { ServerForm } from './server-form.js';

const AddForm = () => {
  const [, navigate] = useLocation();
  const tell = useToast();
  const add = useAddServer();
  return (
    <ServerForm
      start={EMPTY_DRAFT}
      action="Add server"
      busy={add.isPending}
      error={add.error}
      onCancel={() => navigate('/servers')}
      onSubmit={(draft) =>
        add.mutate(
          { server_name: draft.name.trim(), config: configOf(draft) },
          {
            onSuccess: ({ id, server_name }) => {
              tell(`${server_name} was added.`);
              navigate(`/servers/${id}`);
            },
          },
        )
      }
    />
  );
};

export const AddServerPage = () => {
  const [location, navigate] = useLocation();
  const [tab, setTab] = useState(location.endsWith('/paste') ? 'paste' : 'form');
  return (
    <Page title="Add a server" about="It is stored even if it cannot be reached now. Its tools are read at once.">
      <Tabs
        label="How to add"
        value={tab}
        onChange={setTab}
        tabs={[
          { id: 'form', title: 'Fill in a form', content: () => <AddForm /> },
          {
            id: 'paste',
            title: 'Paste a configuration',
            content: () => <PasteForm onDone={() => navigate('/servers')} />,
          },
          { id: 'catalogue', title: 'Choose from a catalogue file', content: () => <CatalogueForm /> },
        ]}
      />
    </Page>
  );
};
