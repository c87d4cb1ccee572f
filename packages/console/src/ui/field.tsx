import { useId, type ReactNode } from 'react';

interface FieldProps {
  readonly label: string;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  readonly children: (ids: { readonly id: string; readonly 'aria-describedby': string | undefined }) => ReactNode;
}

/** A control with its label, help and error, tied together for those who cannot see them side by side. */
export const Field = ({ label, help, error, children }: FieldProps) => {
  const id = useId();
  const about = [help === undefined ? undefined : `${id}-help`, error === undefined ? undefined : `${id}-error`].filter(
    (part) => part !== undefined,
  );
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': about.length === 0 ? undefined : about.join(' ') })}
      {help === undefined ? null : (
        <p id={`${id}-help`} className="field-help">
          {help}
        </p>
      )}
      {error === undefined ? null : (
        <p id={`${id}-error`} className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
};
