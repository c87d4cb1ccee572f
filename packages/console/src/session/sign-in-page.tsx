import { useState, type FormEvent } from 'react';
import { useSignIn } from '../api/session.js';
import { toApiError } from '../api/api-error.js';
import { Button } from '../ui/button.js';
import { Failure } from '../ui/failure.js';
import { Field } from '../ui/field.js';

/** Asks for a key. The page that was asked for comes after it. */
export const SignInPage = ({ reason }: { readonly reason?: string | undefined }) => {
  const [key, setKey] = useState('');
  const signIn = useSignIn();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (key.trim() !== '') signIn.mutate({ key: key.trim() }, { onSettled: () => setKey('') });
  };
  return (
    <main className="sign-in">
      <title>Sign in – Plugboard</title>
      <h1>Sign in to Plugboard</h1>
      <p className="quiet">
        Use a key to this hub. <code>npx plugboard key local</code> prints the key of its owner. An admin creates others
        with <code>npx plugboard key create</code>.
      </p>
      {reason === undefined || signIn.isError ? null : <p className="quiet">{reason}</p>}
      {signIn.isError ? <Failure error={toApiError(signIn.error)} /> : null}
      <form onSubmit={submit}>
        <Field label="Key">
          {(ids) => (
            <input
              {...ids}
              type="password"
              value={key}
              onChange={(event) => setKey(event.target.value)}
              autoComplete="current-password"
              spellCheck={false}
              autoFocus
              required
            />
          )}
        </Field>
        <Button type="submit" look="main" busy={signIn.isPending}>
          Sign in
        </Button>
      </form>
    </main>
  );
};
