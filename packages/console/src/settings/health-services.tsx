import type { HealthServiceView } from '@plugboard/contract';
import { type FormEvent, useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { useAddHealthService, useDeleteHealthService, useHealthServices } from '../api/maintenance.js';
import { Badge, type Tone } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Failure } from '../ui/failure.js';
import { Field } from '../ui/field.js';
import { useToast } from '../ui/toast.js';
import { milliseconds, visible } from '../ui/format-text.js';

const INTERVAL_S = 30;

const TONES: Readonly<Record<HealthServiceView['status']['state'], Tone>> = {
  unknown: 'quiet',
  up: 'good',
  down: 'bad',
};

const AddForm = () => {
  const add = useAddHealthService();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate(
      { name: name.trim(), url: url.trim(), interval_seconds: INTERVAL_S },
      {
        onSuccess: () => {
          setName('');
          setUrl('');
        },
      },
    );
  };
  return (
    <form className="stack form" onSubmit={submit}>
      {add.isError ? <Failure error={toApiError(add.error)} /> : null}
      <div className="two">
        <Field label="Name of the service">
          {(ids) => <input {...ids} value={name} required onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label="URL to poll" help={`With GET, every ${INTERVAL_S} s.`}>
          {(ids) => <input {...ids} type="url" value={url} required onChange={(event) => setUrl(event.target.value)} />}
        </Field>
      </div>
      <div className="actions">
        <Button type="submit" busy={add.isPending}>
          Add service
        </Button>
      </div>
    </form>
  );
};

/** Services that are no MCP servers, and are only asked whether they are well. */
export const HealthServices = () => {
  const services = useHealthServices();
  const remove = useDeleteHealthService();
  const add = useAddHealthService();
  const tell = useToast();
  const failed = (thrown: unknown): void => tell(toApiError(thrown).message, 'bad');
  return (
    <section className="stack">
      <h2>Services that the hub polls</h2>
      {services.isError ? <Failure error={toApiError(services.error)} /> : null}
      {services.data === undefined || services.data.length === 0 ? null : (
        <ul className="card rows" aria-label="Services">
          {services.data.map(({ name, url, interval_seconds, status }) => (
            <li key={name} className="row service-row">
              <span className="row-name">{visible(name)}</span>
              <Badge tone={TONES[status.state]}>{status.state}</Badge>
              <span className="row-note quiet">{visible(status.reason ?? url)}</span>
              <span className="quiet row-fact">
                {status.latency_ms === null ? '' : milliseconds(status.latency_ms)}
              </span>
              <Button
                aria-label={`Remove ${name}`}
                onClick={() =>
                  remove.mutate(name, {
                    onSuccess: () =>
                      tell(`${name} is no longer polled.`, {
                        undo: () => add.mutate({ name, url, interval_seconds }, { onError: failed }),
                      }),
                    onError: failed,
                  })
                }
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <AddForm />
    </section>
  );
};
