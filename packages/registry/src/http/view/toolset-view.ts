import type { Toolset, ToolsetView } from '@plugboard/contract';
import type { DataPlane } from '../../port/data-plane.js';

/** A toolset with its address and what it offers now. */
export const toolsetView = (toolset: Toolset, dataPlane: DataPlane): ToolsetView => {
  const offer = dataPlane.toolsetOffer(toolset);
  return {
    ...toolset,
    mcp_path: `/toolsets/${encodeURIComponent(toolset.name)}/mcp`,
    ...(offer === undefined ? {} : { offer }),
  };
};
