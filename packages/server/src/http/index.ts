// The public entry `@holdpoint/server/http`: the pages for people, as one fetch handler for any server.

export type { VisitAsked } from "@holdpoint/hub/internal"
export { errorCodes, isTooDeep, pathTo, signInTo, toCompletionToken, visitDraft } from "@holdpoint/hub/internal"
export type { Operation } from "../api/index.ts"
export { createEventStreams, refTo, refusals, toOpenApi } from "../api/index.ts"
export { apiResource } from "./api.ts"
export { problemPage } from "./authorize.ts"
export type { ChoiceGroup, PageChoices } from "./choices.ts"
export type { Pages, PagesOptions } from "./pages.ts"
export { createPages } from "./pages.ts"
export { respond as respondSafely } from "./respond.ts"
export { signedIn } from "./signed-in.ts"
export type { ReturnTarget } from "./site.ts"
