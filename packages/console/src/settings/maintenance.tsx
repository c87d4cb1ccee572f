import { useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { usePurgeKeys, useRotateMasterKey } from '../api/maintenance.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/confirm.js';
import { useToast } from '../ui/toast.js';
import { counted } from '../ui/format-text.js';

/** What an admin does now and then. */
export const Maintenance = () => {
  const purge = usePurgeKeys();
  const rotate = useRotateMasterKey();
  const tell = useToast();
  const [asking, setAsking] = useState<'purge' | 'rotate' | undefined>();
  const failed = (thrown: unknown): void => tell(toApiError(thrown).message, 'bad');
  return (
    <section className="stack">
      <h2>Maintenance</h2>
      <div className="actions">
        <Button busy={rotate.isPending} onClick={() => setAsking('rotate')}>
          Rotate the master key
        </Button>
        <Button busy={purge.isPending} onClick={() => setAsking('purge')}>
          Delete revoked and expired keys
        </Button>
      </div>
      <Confirm
        title="Rotate the master key?"
        action="Rotate"
        open={asking === 'rotate'}
        onOpenChange={(open) => !open && setAsking(undefined)}
        onConfirm={() =>
          rotate.mutate(undefined, {
            onSuccess: ({ resealed }) => tell(`${counted(resealed, 'secret')} encrypted with the new key.`),
            onError: failed,
          })
        }
      >
        <p>
          Every secret is encrypted again while the hub serves. Backups need the key that was valid when they were made.
        </p>
      </Confirm>
      <Confirm
        title="Delete revoked and expired keys?"
        action="Delete keys"
        open={asking === 'purge'}
        onOpenChange={(open) => !open && setAsking(undefined)}
        onConfirm={() =>
          purge.mutate(undefined, {
            onSuccess: ({ deleted, left }) => tell(`${counted(deleted, 'key')} deleted, ${left} left.`),
            onError: failed,
          })
        }
      >
        <p>Keys in use stay. When none is left, clients on this machine need no key again.</p>
      </Confirm>
    </section>
  );
};
