// The public entry `@holdpoint/sdk/webhooks`: the endpoints to which `createHoldpoint` sends events. The queue and the
// guarded requests are exported for code that sends other events to addresses chosen by others.

export { createWork } from "../../due/work.ts"
export type { DueQueue } from "../../hub/deliveries/due-queue.ts"
export { createDueQueue } from "../../hub/deliveries/due-queue.ts"
export type { Endpoints } from "./endpoints.ts"
export { createEndpoints } from "./endpoints.ts"
export type { EventType } from "./map.ts"
export { eventTypes } from "./map.ts"
export type { Judged, Poster } from "./post.ts"
export { createPoster } from "./post.ts"
export type { AttemptResult, Endpoint, WebhookDelivery } from "./records.ts"
