import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId } from 'react';
import type { McpConnection } from '../api/mcp/mcp-connection.js';
import { Field } from '../ui/field.js';

const MAX_SHOWN = 50;

interface ArgumentFieldProps {
  readonly mcp: McpConnection;
  /** The prompt or the template that the argument belongs to. */
  readonly reference: Readonly<Record<string, string>>;
  readonly name: string;
  readonly help?: string | undefined;
  readonly required?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const valuesIn = (answer: unknown): readonly string[] => {
  const { completion } = (answer ?? {}) as { readonly completion?: { readonly values?: unknown } };
  const values = completion?.values;
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string').slice(0, MAX_SHOWN) : [];
};

/** An argument of a prompt or a template. The server completes what is typed, where it can. */
export const ArgumentField = ({ mcp, reference, name, help, required, value, onChange }: ArgumentFieldProps) => {
  const list = useId();
  const typed = useDeferredValue(value);
  const { data: values = [] } = useQuery({
    queryKey: ['completion', reference, name, typed],
    queryFn: ({ signal }) =>
      mcp
        .request('completion/complete', { ref: reference, argument: { name, value: typed } }, { signal })
        .then(valuesIn, () => []),
    staleTime: 60_000,
    gcTime: 60_000,
  });
  return (
    <Field label={required === true ? `${name} (required)` : name} help={help === '' ? undefined : help}>
      {(ids) => (
        <>
          <input
            {...ids}
            list={list}
            value={value}
            required={required === true}
            autoComplete="off"
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={list}>
            {values.map((suggestion) => (
              <option key={suggestion} value={suggestion} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
};
