import type { ServerView } from '@plugboard/contract';
import { useLocation } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useDeleteServer } from '../api/servers.js';
import { DeleteButton } from '../ui/delete-button.js';
import { useToast } from '../ui/toast.js';
import { counted } from '../ui/words.js';

export const DeleteServer = ({ server }: { readonly server: ServerView }) => {
  const [, navigate] = useLocation();
  const tell = useToast();
  const remove = useDeleteServer(server.id);
  const onConfirm = (): void =>
    remove.mutate(undefined, {
      onSuccess: () => {
        tell(`${server.server_name} was deleted.`);
        navigate('/servers');
      },
      onError: (thrown) => tell(toApiError(thrown).message, 'bad'),
    });
  return (
    <DeleteButton kind="server" name={server.server_name} busy={remove.isPending} onConfirm={onConfirm}>
      Its {counted(server.tool_count, 'tool')}, its secrets, its logins and its log are deleted with it. Toolsets keep
      their entries, which then offer nothing. This cannot be undone.
    </DeleteButton>
  );
};
