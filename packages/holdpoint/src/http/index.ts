// The public entry `@holdpoint/sdk/http`: the pages for people, as one fetch handler for any server.

export { pathTo, signInTo } from "../core/addresses.ts"
export { errorCodes } from "../core/error.ts"
export type { VisitAsked } from "../core/visit.ts"
export { visitDraft } from "../core/visit.ts"
export { toCompletionToken } from "../hub/completion.ts"
export { problemPage } from "./authorize.ts"
export type { ChoiceGroup, PageChoices } from "./choices.ts"
export type { Pages, PagesOptions } from "./pages.ts"
export { createPages } from "./pages.ts"
export { respond as respondSafely } from "./respond.ts"
export { signedIn } from "./signed-in.ts"
export type { ReturnTarget } from "./site.ts"
