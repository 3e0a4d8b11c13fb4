// The public entry `@holdpoint/server/parts`: for authors of parts of a server. The port, and what the pages of parts are
// made of.

export { toWireQuestion } from "./api/index.ts"
export type { OpenPart, Part, PartServer } from "./compose/part.ts"
export { account, posted } from "./http/account.ts"
export { programsShownTo } from "./http/asking-program-views.ts"
export type { Guest } from "./http/guest.ts"
export { questionKinds } from "./http/reach.ts"
export { refuseLink } from "./http/refusals.ts"
export { receivePost } from "./http/request-checks.ts"
export { toPage, toRedirect, withCookies } from "./http/respond.ts"
export type { Route, Visit } from "./http/site.ts"
export { toTop } from "./http/site.ts"
export { csrfField, monogram, page } from "./web/frame.ts"
export { type Html, html, toHref } from "./web/html.ts"
export { toLabelledInput } from "./web/labelled-input.ts"
export { timeOf } from "./web/time.ts"
export type { SignedIn } from "./web/views.ts"
