// Checks of the clients of agents: no message is sent twice, no event is read twice, and events keep their shape.

import { type Mutation, within } from "./mutation.ts"

const client = "packages/agents/test/client.test.ts"

export const runClientMutations: readonly Mutation[] = [
  ...within(
    "packages/client/src/reply.ts",
    [
      "a message that is sent once",
      "if (begin !== undefined || !isTemporary(error)) throw error",
      "if (!isTemporary(error)) throw error",
      client,
      "is not started again when its message may not have arrived",
    ],
    [
      "the position from which a lost reply continues",
      "position = { lastNumber: number ?? position.lastNumber, message: messageOf(chunk) ?? position.message }",
      "position = { lastNumber: position.lastNumber, message: messageOf(chunk) ?? position.message }",
      client,
      "resumes where the connection was lost, without duplicates or gaps",
    ],
  ),
  ...within("packages/client/src/request.ts", [
    "a token that follows no redirect",
    'redirect: "error",',
    'redirect: "follow",',
    client,
    "sends the token, fresh for each request, and its other headers",
  ]),
  ...within("packages/client/src/chat.ts", [
    "the lost reply is resumed, and not a later one",
    'const reply = message === undefined ? "" :',
    'const reply = message !== null ? "" :',
    client,
    "continues at another server, even after another message was sent",
  ]),
  ...within("packages/client/src/chat-event.ts", [
    "events of future types",
    'return read?.(chunk) ?? { type: "unknown", chunk }',
    "return read!(chunk)",
    "packages/agents/test/ai-sdk.test.ts",
    "does not fail on unknown events, and passes them on raw when asked to",
  ]),
  ...within("packages/hub/src/core/stream-event.ts", [
    "the recorded shape of stream events",
    "expiresAt: new Date(expiresAt).toISOString(),",
    "expiresAt: expiresAt as never,",
    "packages/agents/test/runs.test.ts",
    "pauses at a question, and the same stream continues with the answer",
  ]),
]
