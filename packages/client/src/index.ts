// The public entry `@holdpoint/client`: a typed client of the run API for browsers and Node. It imports only types
// of `core`, so that a bundle contains no other module.

export type { Chat, ChatMessage, ChatOptions, LoadedChat } from "./chat.ts"
export type { ChatEvent } from "./chat-event.ts"
export type { AnsweredQuestion, Client, ClientOptions, QuestionAnswer } from "./client.ts"
export { createClient } from "./client.ts"
export type { ProblemDocument } from "./error.ts"
export { ClientError } from "./error.ts"
export type { RunEvent } from "./events.ts"
export type { Questions } from "./questions.ts"
