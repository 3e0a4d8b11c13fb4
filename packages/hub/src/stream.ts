// The public entry `@holdpoint/hub/stream`: the events by which a stream tells of questions, for programs that make or
// read such streams, and how an event is written. Imports `core` alone, so that it runs in a browser.

export { type ServerSentEvent, toServerSentEvent } from "./core/server-sent-events.ts"
export type {
  ElicitationRequestEvent,
  ElicitationResolvedEvent,
  EventSource,
  StreamEvent,
} from "./core/stream-event.ts"
export { toStreamEvent } from "./core/stream-event.ts"
export { streamEventSchema } from "./core/stream-schema.ts"
export type { TimelineItem } from "./core/timeline.ts"
