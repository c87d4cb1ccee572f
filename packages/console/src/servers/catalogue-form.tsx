import { type ChangeEvent, useMemo, useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { useAddServer, useServers } from '../api/servers.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { Dialog } from '../ui/dialog.js';
import { Failure } from '../ui/failure.js';
import { Field } from '../ui/field.js';
import { Notice } from '../ui/notice.js';
import { SearchBox } from '../ui/search-box.js';
import { useToast } from '../ui/toast.js';
import { VirtualList } from '../ui/virtual-list.js';
import { counted, visible } from '../ui/format-text.js';
import { type CatalogueEntry, type Catalogue, filledConfig, missingInputs, readCatalogue } from './catalogue.js';

const ROW_PX = 57;
const MAX_BYTES = 20 * 1024 * 1024;

const AddDialog = ({ entry, onClose }: { readonly entry: CatalogueEntry; readonly onClose: () => void }) => {
  const add = useAddServer();
  const tell = useToast();
  const [name, setName] = useState(entry.name);
  const [at, setAt] = useState(0);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const way = entry.ways[at] ?? entry.ways[0];
  if (way === undefined) return null;
  const missing = missingInputs(way, values);
  const submit = (): void =>
    add.mutate(
      { server_name: name.trim(), config: filledConfig(way, values) },
      {
        onSuccess: ({ server_name }) => {
          tell(`${server_name} was added.`);
          onClose();
        },
      },
    );
  return (
    <Dialog title={`Add ${visible(entry.name)}`} open onOpenChange={(open) => !open && onClose()}>
      {add.isError ? <Failure error={toApiError(add.error)} /> : null}
      <p>{visible(entry.description)}</p>
      <Field label="Name">
        {(ids) => <input {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label="How to run or reach it">
        {(ids) => (
          <Choice
            {...ids}
            value={at}
            options={entry.ways.map(({ label }, index) => [index, visible(label)] as const)}
            onChange={setAt}
          />
        )}
      </Field>
      {way.inputs.map(({ name: input, description, required, secret, start }) => (
        <Field
          key={input}
          label={required ? `${visible(input)} (required)` : visible(input)}
          help={description === '' ? undefined : visible(description)}
        >
          {(ids) => (
            <input
              {...ids}
              type={secret ? 'password' : 'text'}
              autoComplete="off"
              value={values[input] ?? start}
              onChange={(event) => setValues((before) => ({ ...before, [input]: event.target.value }))}
            />
          )}
        </Field>
      ))}
      <p className="quiet">
        Adding it runs or calls what the file names: <code>{visible(way.label)}</code>
      </p>
      <div className="actions end">
        <Button look="main" busy={add.isPending} disabled={missing.length > 0 || name.trim() === ''} onClick={submit}>
          Add server
        </Button>
      </div>
    </Dialog>
  );
};

const Entries = ({ entries }: { readonly entries: readonly CatalogueEntry[] }) => {
  const servers = useServers();
  const [search, setSearch] = useState('');
  const [adding, setAdding] = useState<CatalogueEntry | undefined>();
  const taken = useMemo(() => new Set((servers.data ?? []).map(({ server_name }) => server_name)), [servers.data]);
  const shown = useMemo(() => {
    const needle = search.trim().toLowerCase();
    return entries.filter(({ id, description }) => `${id} ${description}`.toLowerCase().includes(needle));
  }, [entries, search]);
  return (
    <>
      <SearchBox
        label="Search the catalogue"
        placeholder={`Search ${counted(entries.length, 'server')}`}
        value={search}
        onChange={setSearch}
      />
      <VirtualList
        items={shown}
        keyOf={({ id }) => id}
        rowHeight={ROW_PX}
        label="Servers of the catalogue"
        row={(entry) => (
          <div className="row catalogue-row">
            <span className="row-name">{visible(entry.id)}</span>
            <Button aria-label={`Add ${entry.name}`} disabled={taken.has(entry.name)} onClick={() => setAdding(entry)}>
              {taken.has(entry.name) ? 'Added' : 'Add'}
            </Button>
            <span className="row-note quiet">{visible(entry.description)}</span>
          </div>
        )}
      />
      {adding === undefined ? null : <AddDialog entry={adding} onClose={() => setAdding(undefined)} />}
    </>
  );
};

/** Adds servers that a file describes. The file stays in the browser; only what is added is sent. */
export const CatalogueForm = () => {
  const [catalogue, setCatalogue] = useState<Catalogue | undefined>();
  const pick = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = target.files?.[0];
    if (file === undefined) return;
    setCatalogue(
      file.size > MAX_BYTES ? { problem: 'The file is larger than 20 MB.' } : readCatalogue(await file.text()),
    );
  };
  return (
    <div className="fill">
      <div className="form">
        <Field
          label="Catalogue file"
          help="A list of the MCP registry, a server.json, or the mcp.json of a client. The file stays in this browser."
        >
          {(ids) => (
            <input {...ids} type="file" accept=".json,application/json" onChange={(event) => void pick(event)} />
          )}
        </Field>
      </div>
      {catalogue !== undefined && 'problem' in catalogue ? <Notice tone="warn">{catalogue.problem}</Notice> : null}
      {catalogue !== undefined && 'entries' in catalogue ? <Entries entries={catalogue.entries} /> : null}
    </div>
  );
};
