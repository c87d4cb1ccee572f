import { ToolList } from '../tools/tool-list.js';

export const ServerTools = ({ id }: { readonly id: string }) => (
  <ToolList
    filter={{ server_id: id }}
    empty="No tools. If the server should have some, look at its last sync, or sync it again."
  />
);
