import { Plus } from 'lucide-react';
import { useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { useKeys } from '../api/keys.js';
import { Button } from '../ui/button.js';
import { Empty } from '../ui/empty.js';
import { Failure } from '../ui/failure.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';
import { CreateKey } from './create-key.js';
import { KeyList } from './key-list.js';

export const KeysPage = () => {
  const keys = useKeys();
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title="Keys"
      about="Who may use this hub. Give each program and person a separate key."
      actions={
        <Button look="main" icon={<Plus size={16} />} onClick={() => setCreating(true)}>
          Create key
        </Button>
      }
    >
      {keys.isError ? <Failure error={toApiError(keys.error)} /> : null}
      {keys.data === undefined && !keys.isError ? <Skeleton /> : null}
      {keys.data?.length === 0 ? (
        <Empty title="No keys yet">
          <p>
            Without keys, everybody on this machine may call tools. The first key changes that: from then on all must
            send one.
          </p>
        </Empty>
      ) : null}
      {keys.data === undefined || keys.data.length === 0 ? null : <KeyList keys={keys.data} />}
      <CreateKey open={creating} onOpenChange={setCreating} />
    </Page>
  );
};
