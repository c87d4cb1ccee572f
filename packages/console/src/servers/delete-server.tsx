import type { ServerView } from '@plugboard/contract';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useDeleteServer } from '../api/servers.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/confirm.js';
import { useToast } from '../ui/toast.js';
import { counted, visible } from '../ui/words.js';

export const DeleteServer = ({ server }: { readonly server: ServerView }) => {
  const [asking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const tell = useToast();
  const remove = useDeleteServer(server.id);
  return (
    <>
      <Button icon={<Trash2 size={15} />} busy={remove.isPending} onClick={() => setAsking(true)}>
        Delete
      </Button>
      <Confirm
        title={`Delete ${visible(server.server_name)}?`}
        action="Delete server"
        open={asking}
        onOpenChange={setAsking}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              tell(`${server.server_name} was deleted.`);
              navigate('/servers');
            },
            onError: (thrown) => tell(toApiError(thrown).message, 'bad'),
          })
        }
      >
        <p>
          Its {counted(server.tool_count, 'tool')}, its secrets, its logins and its log are deleted with it. Toolsets
          keep their entries, which then offer nothing. This cannot be undone.
        </p>
      </Confirm>
    </>
  );
};
