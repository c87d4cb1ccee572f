import type { ApiKey } from '@plugboard/contract';
import { useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { useRevokeKey } from '../api/keys.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/confirm.js';
import { useToast } from '../ui/toast.js';
import { ago, visible } from '../ui/format-text.js';
import { keyState } from './key-state.js';

const KeyRow = ({ apiKey, onRevoke }: { readonly apiKey: ApiKey; readonly onRevoke: () => void }) => {
  const { tone, word } = keyState(apiKey, Date.now());
  return (
    <li className="row key-row">
      <span className="row-name">{visible(apiKey.name)}</span>
      <Badge tone={tone}>{word}</Badge>
      <span className="quiet">{apiKey.role}</span>
      <code>{apiKey.prefix}…</code>
      <span className="quiet">{apiKey.last_used_at === null ? 'never used' : `used ${ago(apiKey.last_used_at)}`}</span>
      {tone === 'good' ? (
        <Button aria-label={`Revoke ${apiKey.name}`} onClick={onRevoke}>
          Revoke
        </Button>
      ) : (
        <span />
      )}
    </li>
  );
};

/** Keys, each of which can be revoked after a question. */
export const KeyList = ({ keys }: { readonly keys: readonly ApiKey[] }) => {
  const revoke = useRevokeKey();
  const tell = useToast();
  const [asking, setAsking] = useState<ApiKey | undefined>();
  return (
    <>
      <ul className="card rows">
        {keys.map((apiKey) => (
          <KeyRow key={apiKey.id} apiKey={apiKey} onRevoke={() => setAsking(apiKey)} />
        ))}
      </ul>
      <Confirm
        title={`Revoke ${visible(asking?.name ?? '')}?`}
        action="Revoke key"
        open={asking !== undefined}
        onOpenChange={(open) => !open && setAsking(undefined)}
        onConfirm={() =>
          asking !== undefined &&
          revoke.mutate(asking.id, {
            onSuccess: () => tell('Revoked.'),
            onError: (thrown) => tell(toApiError(thrown).message, 'bad'),
          })
        }
      >
        <p>Programs that use it are refused at once, and open sessions end. This cannot be undone.</p>
      </Confirm>
    </>
  );
};
