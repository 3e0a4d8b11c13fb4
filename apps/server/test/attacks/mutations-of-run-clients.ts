// Checks of the clients of agents: no message is sent twice, no event is read twice, and events keep their shape.

import { type Mutation, within } from "./mutation.ts"

const client = "apps/server/test/agents/client.test.ts"

export const runClientMutations: readonly Mutation[] = [
  ...within(
    "client/reply.ts",
    [
      "a message that is sent once",
      "if (begin !== undefined || !isTemporary(error)) throw error",
      "if (!isTemporary(error)) throw error",
      client,
      "is not begun again when its message may not have arrived",
    ],
    [
      "the position from which a lost reply goes on",
      "at = { last: number ?? at.last, message: messageOf(chunk) ?? at.message }",
      "at = { last: at.last, message: messageOf(chunk) ?? at.message }",
      client,
      "is taken up where it was lost: nothing comes twice, nothing is missing",
    ],
  ),
  ...within("client/request.ts", [
    "a token that follows no redirect",
    'redirect: "error",',
    'redirect: "follow",',
    client,
    "sends the token, fresh for each request, and its other headers",
  ]),
  ...within("client/chat.ts", [
    "the reply that is taken up, and not a later one",
    'const reply = message === undefined ? "" :',
    'const reply = message !== null ? "" :',
    client,
    "goes on at another server, although another message was sent in the meantime",
  ]),
  ...within("client/chat-event.ts", [
    "events of types to come",
    'return read?.(chunk) ?? { type: "unknown", chunk }',
    "return read!(chunk)",
    "apps/server/test/agents/ai-sdk.test.ts",
    "never fails on an event that it does not know, and hands it on raw when asked to",
  ]),
  ...within("core/stream-event.ts", [
    "the recorded shape of stream events",
    "expiresAt: new Date(expiresAt).toISOString(),",
    "expiresAt: expiresAt as never,",
    "apps/server/test/agents/runs.test.ts",
    "stops at a question, and the same stream goes on with the answer",
  ]),
]
