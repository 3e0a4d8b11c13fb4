// The public entry `@holdpoint/sdk/parts`: for authors of parts of a server. The port, and what the pages of parts are
// made of.

export type { OpenPart, Part, PartServer } from "./compose/part.ts"
export { account, posted } from "./http/account.ts"
export { programsShownTo } from "./http/asking-program-views.ts"
export { questionKinds } from "./http/reach.ts"
export { refuseLink } from "./http/refusals.ts"
export { receivePost } from "./http/request-checks.ts"
export { toPage, toRedirect, withCookies } from "./http/respond.ts"
export type { Guest, Route, Visit } from "./http/site.ts"
export { toTop } from "./http/site.ts"
export { toWireQuestion } from "./surfaces/api/index.ts"
export { csrfField, monogram, page } from "./surfaces/web/frame.ts"
export { type Html, html, toHref } from "./surfaces/web/html.ts"
export { toLabelledInput } from "./surfaces/web/labelled-input.ts"
export { timeOf } from "./surfaces/web/time.ts"
export type { SignedIn } from "./surfaces/web/views.ts"
