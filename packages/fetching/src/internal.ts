// @holdpoint/fetching/internal: what the other packages of Holdpoint need of this one, of the same version. Not for other programs:
// these names may change in any release.

export type { AddressOptions } from "./address.ts"
export { createAddressRules } from "./address.ts"
export { readRequestText, readText, readTextWithin } from "./body.ts"
export { createByteBuffer } from "./byte-buffer.ts"
export { runWithDeadline, withDeadlines } from "./deadline.ts"
export { failureOf, fetchError } from "./failure.ts"
export type { GuardOptions } from "./guarded-fetch.ts"
export { apiLimits, createGuardedFetch, metadataLimits, postLimits } from "./guarded-fetch.ts"
export { post } from "./post.ts"
export type { Unavailable } from "./response.ts"
export { jsonOf, judgeAvailability, toReason } from "./response.ts"
export { fetchWithinOrigin } from "./within-origin.ts"
