// The programming interface: the checks, the description of a server, and the report.

export type { UrlModeCheck } from "./check.ts"
export { urlModeChecks } from "./checks/all.ts"
export type { UrlModeOptions, UrlModeReport, UrlModeResult } from "./run.ts"
export { checkUrlMode } from "./run.ts"
export type { UrlModePerson, UrlModeRevision, UrlModeTarget, UrlModeTool } from "./target.ts"
export { urlModeRevisions } from "./target.ts"
