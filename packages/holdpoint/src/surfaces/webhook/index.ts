// The public entry `@holdpoint/sdk/webhooks`: where programs are sent events. `createHoldpoint` sends them. What sends
// other events to addresses that others chose builds on the same queue and the same requests.

export type { DueQueue } from "../../hub/deliveries/due-queue.ts"
export { createDueQueue } from "../../hub/deliveries/due-queue.ts"
export { createWork } from "../../hub/work.ts"
export type { Endpoints } from "./endpoints.ts"
export { createEndpoints } from "./endpoints.ts"
export type { EventType } from "./map.ts"
export { eventTypes } from "./map.ts"
export type { Judged, Poster } from "./post.ts"
export { createPoster } from "./post.ts"
export type { AttemptResult, Endpoint, WebhookDelivery } from "./records.ts"
