/** Parameters of one tool that count towards the limits of a request. */
interface Sizes {
  /** Anthropic allows 24 in the strict tools of one request. */
  readonly optional?: number;
  /** Parameters of more than one type. Anthropic allows 16. */
  readonly ambiguous?: number;
}

/** The tools of the corpus that Anthropic refuses as strict even when a request has no other. They are sent as other tools. */
export const TOO_LARGE_FOR_STRICT: Readonly<Record<string, Sizes>> = {
  'brave__brave-search-mcp-server/brave_llm_context': { optional: 25 },
  'firecrawl-mcp/firecrawl_scrape': { optional: 38 },
  'firecrawl-mcp/firecrawl_search': { optional: 47 },
  'firecrawl-mcp/firecrawl_crawl': { optional: 54 },
  'firecrawl-mcp/firecrawl_interact': { optional: 45 },
  'larksuiteoapi__lark-mcp/bitable_v1_appTable_create': { optional: 35 },
  'larksuiteoapi__lark-mcp/im_v1_chat_create': { optional: 30 },
  'line__line-bot-mcp-server/push_flex_message': { optional: 409 },
  'line__line-bot-mcp-server/broadcast_flex_message': { optional: 520, ambiguous: 17 },
  'microsoft__clarity-mcp-server/list-session-recordings': { optional: 50, ambiguous: 30 },
  'modelcontextprotocol__server-pdf/interact': { optional: 30 },
  'netlify__mcp/netlify-project-services-updater': { optional: 37 },
  'roychri__mcp-server-asana/asana_search_tasks': { optional: 54 },
  'shortcut__mcp/stories-search': { optional: 45 },
  'twilio-alpha__mcp/TwilioApiV2010--CreateCall': { optional: 33 },
  'twilio-alpha__mcp/TwilioApiV2010--CreateParticipant': { optional: 46 },
  'twilio-alpha__mcp/TwilioApiV2010--CreateSiprec': { optional: 203 },
  'twilio-alpha__mcp/TwilioApiV2010--CreateStream': { optional: 202 },
  'webflow-mcp-server/element_builder': { optional: 44 },
  'webflow-mcp-server/variable_tool': { optional: 42 },
  'zereight__mcp-gitlab/create_merge_request_thread': { ambiguous: 17 },
  'zereight__mcp-gitlab/create_draft_note': { ambiguous: 17 },
  'zereight__mcp-gitlab/update_draft_note': { ambiguous: 17 },
  'zereight__mcp-gitlab/list_merge_requests': { optional: 25 },
  'zereight__mcp-gitlab/list_group_merge_requests': { optional: 26 },
};
