export { adaptList, type AdaptListOptions, type ListAdaptation } from './adapt/adapt-list.js';
export { fitList, refitTool } from './adapt/fit-list.js';
export { librarySupports, TOOL_LIBRARIES, toLibraryShape, type ToolLibrary } from './adapt/library-shape.js';
export {
  isProviderShape,
  profileOfShape,
  PROVIDER_SHAPES,
  type ProviderShape,
  shapeFor,
  toProviderShape,
} from './adapt/provider-shape.js';
export { providerVerdicts } from './adapt/provider-verdicts.js';
export {
  adaptTool,
  planAdaptation,
  toProviderVerdict,
  type Adaptation,
  type AdaptOptions,
} from './adapt/adapt-tool.js';
export { type AdaptChange, type Effect } from './adapt/step/change.js';
export { adaptArguments, restoreArguments, type RestoredArguments, type RestorePlan } from './adapt/restore-plan.js';
export { gravest, type Change, type ChangeCode, type ChangeKind } from './compare/change.js';
export { compareServers } from './compare/compare-servers.js';
export { compareTools } from './compare/compare-tools.js';
export { contractHash } from './compare/contract-hash.js';
export {
  formatLock,
  lockServer,
  parseLock,
  type LockFile,
  type LockedServer,
  type LockedTool,
} from './compare/lock-file.js';
export { verifyLock, type LockVerdict } from './compare/verify-lock.js';
export { canonicalJson, sha256 } from './document/canonical-json.js';
export { typeInference, type Inferred, type TypeInference } from './document/infer-types.js';
export { type JsonSchema, type JsonType, type SchemaObject } from './document/json-schema.js';
export { type Limits } from './document/limits.js';
export { mapSchema, type SchemaMapper } from './document/map-schema.js';
export { measure, type Excess, type Measurement } from './document/measure.js';
export { followRefs, refResolver, type RefResolver, type Resolution } from './document/resolve-ref.js';
export { walkSchema, type SchemaNode, type WalkOptions, type WalkOutcome } from './document/walk-schema.js';
export { type GradeProfile } from './grade/grade-schema.js';
export { gradeInputs, gradeTool } from './grade/grade-tool.js';
export { type Rule } from './grade/rule.js';
export { lintServer, lintServers, lintTool } from './lint/lint.js';
export { type LintFinding, type LintLevel, type LintRule } from './lint/rule/lint-rule.js';
export { LINT_RULES } from './lint/registry.js';
export { type ServerTexts } from './lint/rule/subject.js';
export { repairCapabilities, repairServerInfo } from './repair/greeting.js';
export { legacyDefinition } from './repair/legacy-definition.js';
export { repairableReasons, repairDefinition, type RepairedDefinition } from './repair/repair-definition.js';
export { repairList } from './repair/listed-item.js';
export { repairResult, type ResultContext } from './repair/result.js';
export { assignNames, nameBeside } from './name/assign-names.js';
export { NameIndex, type NamedTool } from './name/name-index.js';
export { modelFacingName, type NameParts } from './name/model-facing-name.js';
export { MAX_NAME_LENGTH, sanitise } from './name/sanitise.js';
export { normaliseSchema, type Normalised } from './normalise/normalise-schema.js';
export {
  checkAgainstProfile,
  checkSchema,
  checkTool,
  checkList,
  type CheckOptions,
  isAccepted,
} from './profile/check-against-profile.js';
export { type ProfileFinding } from './profile/definition/finding.js';
export { type Profile } from './profile/definition/profile.js';
export { isProfileId, PROFILE_IDS, PROFILES, type ProfileId } from './profile/registry.js';
export { type ProfileRule } from './profile/definition/rule.js';
export {
  lintReport,
  type LintReport,
  type LintReportOptions,
  type LintSummary,
  type ProviderSummary,
  type ToolReport,
} from './report/lint-report.js';
export { renderProviderDocs, type CorpusServer } from './report/provider-docs.js';
export { reportLines, type ReportLine, type ReportLinesOptions, type Tone } from './report/report-lines.js';
export { toSarif, type SarifLog, type SarifOptions } from './report/sarif.js';
export { estimateServerTokens, estimateToolTokens } from './tokens/estimate-tokens.js';
export { explainProblems, type Problem } from './validate/problem.js';
export {
  createSchemaValidator,
  type SchemaValidator,
  type SchemaValidatorOptions,
  type Validation,
} from './validate/schema-validator.js';
export { validateArguments, validateResult } from './validate/validate.js';
