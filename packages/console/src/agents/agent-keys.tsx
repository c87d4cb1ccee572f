import type { Agent } from '@plugboard/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { useKeys } from '../api/keys.js';
import { EndpointCard } from '../endpoint/endpoint-card.js';
import { CreateKey } from '../keys/create-key.js';
import { KeyList } from '../keys/key-list.js';
import { Button } from '../ui/button.js';
import { Failure } from '../ui/failure.js';
import { Skeleton } from '../ui/skeleton.js';

/** How programs call as this agent: with one of its keys, at the endpoint of the hub. */
export const AgentKeys = ({ agent }: { readonly agent: Agent }) => {
  const keys = useKeys();
  const [creating, setCreating] = useState(false);
  const own = (keys.data ?? []).filter(({ agent_id }) => agent_id === agent.id);
  return (
    <div className="stack">
      <div className="actions">
        <Button look="main" icon={<Plus size={16} />} disabled={keys.isError} onClick={() => setCreating(true)}>
          Create key
        </Button>
        <span className="quiet">A program that sends a key of this agent calls as this agent.</span>
      </div>
      {keys.isError ? <Failure error={toApiError(keys.error)} /> : null}
      {keys.data === undefined && !keys.isError ? <Skeleton lines={2} /> : null}
      {own.length === 0 ? null : <KeyList keys={own} />}
      <h2>Endpoint</h2>
      <EndpointCard path="/mcp" name={agent.name} stdio={[]} keyed note="Replace pb_… with a key of this agent." />
      <CreateKey agent={agent} open={creating} onOpenChange={setCreating} />
    </div>
  );
};
