export { ClientProgram } from './chaos/rig/client-program.js';
export { launchProgram, type Child } from './connection/child.js';
export {
  type ChaosCall,
  type ChaosSubject,
  type ClientUnderTest,
  type Fate,
  type FaultyPlace,
  type HubUnderTest,
} from './chaos/rig/subject.js';
export { type FaultRow } from './chaos/rows/fault-row.js';
export { FAULT_ROWS } from './chaos/rows/rows.js';
export { runChaos, type ChaosEvent, type ChaosOptions } from './chaos/run-chaos.js';
export { CHECKS } from './checks/registry.js';
export { compareReports, isWorse, type CheckChange } from './compare/compare-reports.js';
export { type Network } from './connection/network.js';
export { contractResults } from './contract/contract-results.js';
export { type Offer } from './contract/offer.js';
export { readOffer } from './contract/read-offer.js';
export { DIFFERENTIAL_CHECKS } from './differential/differential-checks.js';
export { BENCH_REPORTERS, benchFormatOfFile } from './load/report/formats.js';
export { benchLines } from './load/report/terminal.js';
export { withBaseline, type ComparisonOptions } from './load/compare/with-baseline.js';
export { runAgainst, type AgainstOptions } from './load/run-against.js';
export { runBench, type BenchEvent, type BenchOptions } from './load/run-bench.js';
export { serveLoadWorker, type WorkerStreams } from './load/worker/serve-worker.js';
export { parseThreshold } from './load/threshold/threshold.js';
export { decideTool, type CallDecision } from './calls/call-policy.js';
export { type ListedTool } from './calls/tool.js';
export { callFigures, type TimedCall } from './call-monitor/call-figures.js';
export { CallMonitor, type CallMonitorOptions, type MonitoredCall } from './call-monitor/call-monitor.js';
export { toListedTool } from './probe/lists.js';
export { type Check } from './model/check.js';
export { FAMILIES, type Family } from './model/family.js';
export { type Finding } from './model/finding.js';
export { examinationExit, reportOf, troubleOf, type Examination } from './outcome/report-of.js';
export { type Probe } from './probe/probe.js';
export { formatOfFile, REPORTERS, type ReportFormat } from './reporter/formats.js';
export { type SarifLocation } from './reporter/sarif.js';
export { terminalLines, type LineTone, type ReportLine, type TerminalOptions } from './reporter/terminal.js';
export { draftTargetFile } from './draft/draft.js';
export { runChecks, type RunOptions } from './run/run-checks.js';
export { type RunEvent } from './run/run-event.js';
export { exitCodeOf } from './run/summary.js';
export {
  defineWorkflow,
  type CodeStep,
  type StepTools,
  type WorkflowDefinition,
  type WorkflowPlan,
} from './workflow/workflow.js';
export { redactMessage } from './recording/redact-message.js';
export { parseEvalFile } from './eval/eval-file.js';
export { type EvalCall } from './eval/judge-calls.js';
export { type AskEval, type EvalOptions, type EvalQuestion, runEvals } from './eval/run-evals.js';
export { parseWorkflowFile } from './workflow/workflow-file.js';
export { runWorkflow, type WorkflowOptions } from './workflow/run-workflow.js';
export { startHttpTap, type HttpTap } from './recording/http-tap.js';
export { Recorder, type RecorderOptions } from './recording/recorder.js';
export { parseRecording, type RecordedMessage, type Recording } from './recording/recording.js';
export { replayAgainst, type ReplayOptions } from './recording/replay-against.js';
export { serveReplayHttp } from './recording/replay-http.js';
export { Replayer } from './recording/replayer.js';
export { labelOf } from './target/label.js';
export { secretMask, type Mask } from './target/mask-secrets.js';
export { fillVariables, parseTargetFile } from './target/target-file.js';
export { checkTarget, type CheckTarget, type CheckTargetInput } from './target/target.js';
export { adaptedTools, type AdaptedTool } from './llm/adapted-tool.js';
export { type LlmRunOptions, runLlmChecks } from './llm/run/run-llm-checks.js';
export { LLM_APIS, type AwsKeys, type LlmApi, type LlmTarget } from './llm/target.js';
export { SOAK_REPORTERS, soakLines } from './soak/report/formats.js';
export { runSoak, type SoakOptions, type SoakProgress } from './soak/run-soak.js';
