import type { ToolView } from '@plugboard/contract';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useStartBench } from '../api/benchmarks.js';
import { firstReady, useServers } from '../api/servers.js';
import { useServerTools } from '../api/tools.js';
import { readArguments } from '../client/arguments-text.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { Confirm } from '../ui/confirm.js';
import { Failure } from '../ui/failure.js';
import { Field } from '../ui/field.js';
import { visible } from '../ui/format-text.js';

const SECONDS = [5, 10, 30, 60].map((value) => [value, `${value} s`] as const);
const RATES = [5, 20, 50, 100, 200].map((value) => [value, `${value} calls/s`] as const);
const CALLERS = [1, 4, 8, 16].map((value) => [value, value === 1 ? '1 caller' : `${value} callers`] as const);

const onlyReads = (tool: ToolView | undefined): boolean => tool?.annotations?.readOnlyHint === true;

/** Chooses a server, what is called, and how often. */
export const StartBench = () => {
  const servers = useServers();
  const start = useStartBench();
  const [, navigate] = useLocation();
  const [serverId, setServerId] = useState('');
  const [toolName, setToolName] = useState('');
  const [text, setText] = useState('');
  const [seconds, setSeconds] = useState(10);
  const [rate, setRate] = useState(20);
  const [concurrency, setConcurrency] = useState(4);
  const [asking, setAsking] = useState(false);
  const server = servers.data?.find(({ id }) => id === serverId) ?? firstReady(servers.data ?? []);
  const { data: offered = [] } = useServerTools(server?.id);
  const tool = offered.find(({ upstream_name }) => upstream_name === toolName);
  const args = readArguments(text);
  const go = (): void => {
    if (server === undefined || 'problem' in args) return;
    const call =
      tool === undefined ? {} : { tool: tool.upstream_name, ...(text.trim() === '' ? {} : { arguments: args.args }) };
    start.mutate(
      { name: server.id, seconds, rate, concurrency, ...call },
      { onSuccess: ({ id }) => navigate(`/benchmarks/${id}`) },
    );
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (tool === undefined || onlyReads(tool)) go();
    else setAsking(true);
  };
  if (servers.data?.length === 0) {
    return (
      <p>
        There is no server to measure yet. <Link href="/servers/new">Add a server</Link> first.
      </p>
    );
  }
  return (
    <form className="stack" onSubmit={submit}>
      {start.isError ? <Failure error={toApiError(start.error)} /> : null}
      <div className="filters">
        <Choice
          label="Server"
          value={server?.id ?? ''}
          options={(servers.data ?? []).map(({ id, server_name }) => [id, visible(server_name)] as const)}
          onChange={(id) => {
            setServerId(id);
            setToolName('');
          }}
        />
        <Choice
          label="Tool"
          value={tool?.upstream_name ?? ''}
          options={[
            ['', 'A safe tool, or ping'],
            ...offered.map(({ upstream_name }) => [upstream_name, visible(upstream_name)] as const),
          ]}
          onChange={setToolName}
        />
        <Choice label="Rate" value={rate} options={RATES} onChange={setRate} />
        <Choice label="Duration" value={seconds} options={SECONDS} onChange={setSeconds} />
        <Choice label="Callers" value={concurrency} options={CALLERS} onChange={setConcurrency} />
        <Button
          type="submit"
          look="main"
          busy={start.isPending}
          disabled={server === undefined || (tool !== undefined && 'problem' in args)}
        >
          Start benchmark
        </Button>
      </div>
      {tool === undefined ? null : (
        <Field
          label="Arguments"
          help="A JSON object. Empty: generated from the schema of the tool."
          error={'problem' in args ? args.problem : undefined}
        >
          {(ids) => (
            <textarea
              {...ids}
              className="code"
              rows={3}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
      )}
      <Confirm
        title={`Call ${visible(tool?.upstream_name ?? '')} ${(rate * seconds).toLocaleString('en')} times?`}
        action="Start"
        open={asking}
        onOpenChange={setAsking}
        onConfirm={go}
      >
        <p>
          The server does not mark this tool as one that only reads. Each call may change something, and the changes are
          not undone.
        </p>
      </Confirm>
    </form>
  );
};
