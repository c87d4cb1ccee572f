/** The day on which every source below was last looked up. */
export const RECORDED = '2026-11-16';

/** The sources that more than one rule cites. */
export const SOURCE = {
  openaiStructured: 'https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas',
  openaiName: 'https://github.com/microsoft/foundry-dev-tools/issues/201',
  openaiCount: 'https://github.com/zed-industries/zed/issues/32946',
  openaiDescription: 'https://github.com/getsentry/sentry-mcp/issues/106',
  openaiRoot: 'https://github.com/langchain-ai/langchainjs/issues/9804',
  openaiItems: 'https://github.com/streamnative/streamnative-mcp-server/issues/26',
  openaiProperties: 'https://github.com/promptfoo/promptfoo/issues/5965',
  openaiClosed: 'https://github.com/github/github-mcp-server/issues/376',
  openaiRequired: 'https://github.com/vercel/ai/issues/6484',
  openaiFormat: 'https://github.com/pydantic/pydantic-ai/issues/2420',
  azureDescription: 'https://portkey.ai/error-library/description-length-error-10058',
  azureStructured: 'https://learn.microsoft.com/en-au/azure/ai-services/openai/how-to/structured-outputs',
  anthropicName: 'https://github.com/anthropics/claude-code/issues/96152',
  anthropicKeys: 'https://github.com/anthropics/claude-code/issues/79418',
  anthropicRoot: 'https://github.com/dearlordylord/huly-mcp/issues/66',
  anthropicDialect: 'https://github.com/anthropics/claude-code/issues/63673',
  anthropicStrict: 'https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations',
  claudeCodeText: 'https://github.com/anthropics/claude-code/issues/41593',
  claudeCodeName: 'https://github.com/anthropics/claude-code/issues/19882',
  connectors: 'https://github.com/justincasher/lean-explore/pull/85',
  geminiSchema: 'https://cloud.google.com/vertex-ai/docs/reference/rest/v1/Schema',
  geminiDeclaration:
    'https://cloud.google.com/vertex-ai/generative-ai/docs/reference/java/latest/com.google.cloud.vertexai.api.FunctionDeclarationOrBuilder',
  geminiCount: 'https://github.com/google-gemini/gemini-cli/issues/19083',
  geminiType: 'https://github.com/voocel/litellm/issues/9',
  geminiEmpty: 'https://github.com/agno-agi/agno/issues/2112',
  geminiRequired: 'https://github.com/Kilo-Org/kilocode/pull/11955',
  geminiUnion: 'https://github.com/anomalyco/opencode/pull/14234',
  geminiEnum: 'https://github.com/decolua/9router/pull/380',
  geminiRoot: 'https://github.com/diegosouzapw/OmniRoute/pull/3360',
  geminiKeyword: 'https://github.com/nanbingxyz/5ire/issues/42',
  geminiDepth: 'https://github.com/google-gemini/gemini-cli/issues/6031',
  bedrockTool: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html',
  bedrockDescription: 'https://github.com/danny-avila/LibreChat/issues/13209',
  cursorName: 'https://github.com/ComposioHQ/composio/issues/2788',
  cursorCount: 'https://github.com/Snowflake-Labs/mcp/issues/77',
  vscodeItems: 'https://github.com/microsoft/vscode/issues/246119',
  vscodeCount: 'https://github.com/microsoft/vscode-copilot-release/issues/9375',
  vscodeName: 'https://github.com/microsoft/vscode/issues/243602',
  dialect: 'https://json-schema.org/draft/2020-12',
  mcpTools: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools',
} as const;

/** An origin whose source was looked up on the common day. */
export const from = (id: string, source: string, level: 'error' | 'warning' = 'error') =>
  ({ id, level, source, recorded: RECORDED }) as const;
