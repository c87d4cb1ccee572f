export { type Era, type Eras } from './definition/era.js';
export { type FakeHost } from './definition/host.js';
export { type FakePrompt } from './definition/prompt.js';
export { type FakeResource, type FakeResourceTemplate } from './definition/resource.js';
export {
  type AnswerMode,
  type CompletionQuery,
  type FakeServerOptions,
  type MethodHandler,
} from './definition/server-options.js';
export { type StockToolName } from './definition/stock-tool-name.js';
export { type FakeCall, type InputRequest, type LogLevel, type Progress } from './definition/tool-call.js';
export { type FakeTool, type ToolAnswer, type ToolHandler, type ToolSpec } from './definition/tool.js';
export { type ByteServer } from './double/byte-server.js';
export { type HttpAnswer } from './double/http-bytes.js';
export { httpDouble, HttpDouble, type Responder } from './double/http-double.js';
export { type DoubleRequest } from './double/http-request-reader.js';
export { type Play, type PlayStep } from './double/play.js';
export { fakeServer, FakeServer, type StdioLink } from './server/fake-server.js';
export { type CrashPhase, type Fault } from './fault/fault.js';
export { FaultScript } from './fault/fault-script.js';
export { type ScriptRule } from './fault/script-rule.js';
export { conformanceServer } from './fixture/conformance/conformance-server.js';
export { deadPort, type DeadPort } from './fixture/dead-port.js';
export { doclingServer } from './fixture/docling.js';
export { type FixtureName } from './fixture/fixture.js';
export { taskServer } from './fixture/task-server.js';
export { hangingServer } from './fixture/hanging-server.js';
export { lettaMockServer } from './fixture/letta-mock.js';
export { brokenTools, manyToolsServer, type ManyToolsOptions } from './fixture/many-tools.js';
export { rubbishServer, type Rubbish } from './fixture/rubbish-server.js';
export { SOCIAL_COOKIE_NAME, SOCIAL_COOKIE_VARIABLE, socialNetworkServer } from './fixture/social-network.js';
export {
  type JsonObject,
  type JsonRpcFailure,
  type JsonRpcId,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
} from './json-rpc/message.js';
export { META } from './json-rpc/meta-key.js';
export { type Counters } from './log/counters.js';
export { type ReceivedLog, type WaitOptions } from './log/received-log.js';
export { type Received, type TransportKind } from './log/received.js';
export { fakeHttpServerCommand, fakeServerCommand, readProcessLog, type FakeCommand } from './process/command.js';
export { type FakeHttpProcessOptions, type FakeProcessOptions } from './process/process-options.js';
export { type InProcessChild } from './mutant/in-process-child.js';
export { changeError, changeResult, defineMutant, without, type Mutant } from './mutant/mutant.js';
export { LOAD_MUTANTS } from './mutant/load.js';
export { STREAM_MUTANTS } from './mutant/streams.js';
export { MUTANTS, mutantServer } from './mutant/mutants.js';
export { type Mutation, type MutationContext, type MutantTransport } from './mutant/mutation/mutation.js';
export { AGGREGATE } from './mutant/reference-aggregate.js';
export {
  aggregateServer,
  guardedServer,
  MutantServer,
  referenceServer,
  strictServer,
  taskingServer,
} from './mutant/reference-server.js';
export { readCounter, readCounterKeys } from './stock/counter-tool.js';
export { type HttpListener, type ListenOptions } from './transport/http-server.js';
export { memoryNetwork, type FakeNetwork } from './transport/network.js';
export { type LineStreams } from './transport/line-connection.js';
export { type LineStyle } from './transport/line-writer.js';
export { rawHttpClient, RawHttpClient, type RawAnswer, type RawHttpOptions } from './raw/raw-http-client.js';
export { rawLineClient } from './raw/raw-line-client.js';
