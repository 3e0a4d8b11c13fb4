// @holdpoint/email/internal: what the other packages of Holdpoint need of this one, of the same version. Not for other programs:
// these names may change in any release.

export type { EmailView } from "./page-views.ts"
export { emailSection, unsubscribedPage, unsubscribePage } from "./page-views.ts"
export { deadAddressKind, returnAddressKind, sentMailKind } from "./records.ts"
