// Reads everything that the clients of a revision received: it must contain nothing of another revision.

import { expect, skip, type UrlModeCheck } from "../check.ts"
import type { CheckContext } from "../check-context.ts"
import { credentialIn } from "../credentials.ts"
import type { ReceivedMessage } from "../exchange.ts"
import { dig, hasMember, type Json } from "../json.ts"

const changes = "changelog"
const modern = { "2026-07-28": changes }
const older = { "2025-11-25": "basic#responses", "2025-06-18": "basic#responses" }
const transportSection = "basic/transports/streamable-http#receiving-messages"

export const wire: readonly UrlModeCheck[] = [
  {
    id: "wire-modern-no-ids",
    title: "No elicitationId is sent",
    level: "must",
    spec: modern,
    run: (context) =>
      expectNoMessage(context, "no elicitationId", ({ message }) => hasMember(dig(message, "result"), "elicitationId")),
  },
  {
    id: "wire-modern-no-32042",
    title: "-32042 is not sent",
    level: "must",
    spec: { "2026-07-28": "basic#error-codes" },
    run: (context) => expectNoMessage(context, "no -32042", ({ message }) => dig(message, "error", "code") === -32042),
  },
  {
    id: "wire-modern-no-requests",
    title: "The server sends no requests",
    level: "must",
    spec: { "2026-07-28": transportSection },
    run: (context) =>
      expectNoMessage(
        context,
        "no request",
        ({ message }) => message?.method !== undefined && message.id !== undefined,
      ),
  },
  {
    id: "wire-modern-no-completion",
    title: "notifications/elicitation/complete is not sent",
    level: "must",
    spec: modern,
    run: (context) =>
      expectNoMessage(context, "no such notification", ({ message }) => message?.method === completionMethod),
  },
  {
    id: "wire-modern-no-session",
    title: "No response has a session id",
    level: "must",
    spec: modern,
    run: (context) => expectNoMessage(context, "no Mcp-Session-Id", ({ headers }) => headers.has("mcp-session-id")),
  },
  {
    id: "wire-modern-result-type",
    title: "Every result has a resultType: complete, input_required, or that of an extension",
    level: "must",
    spec: { "2026-07-28": "basic#resulttype" },
    run: (context) =>
      expectNoMessage(context, "a resultType", ({ message }) => {
        const result = dig(message, "result")
        return result !== undefined && typeof dig(result, "resultType") !== "string"
      }),
  },
  {
    id: "wire-modern-where",
    title: "Only tool calls, prompts and resources are answered with input_required",
    level: "must",
    spec: { "2026-07-28": "basic/patterns/mrtr#supported-requests" },
    run: (context) =>
      expectNoMessage(
        context,
        "input_required on tools/call, prompts/get and resources/read only",
        ({ message, requestMethod }) => {
          const isAsking = dig(message, "result", "resultType") === "input_required"
          return isAsking && !["tools/call", "prompts/get", "resources/read"].includes(requestMethod)
        },
      ),
  },
  {
    id: "wire-modern-state",
    title: "Every input_required has inputRequests, requestState or both",
    level: "must",
    spec: { "2026-07-28": "basic/patterns/mrtr#server-requirements-basic-workflow" },
    run: (context) =>
      expectNoMessage(context, "one of the two", ({ message }) => {
        const result = dig(message, "result")
        const isEmpty = dig(result, "inputRequests") === undefined && typeof dig(result, "requestState") !== "string"
        return dig(result, "resultType") === "input_required" && isEmpty
      }),
  },
  {
    id: "wire-older-no-modern-results",
    title: "No result has resultType, inputRequests or requestState",
    level: "should",
    spec: older,
    run: (context) =>
      expectNoMessage(context, "none of them", ({ message }) =>
        ["resultType", "inputRequests", "requestState"].some((name) => dig(message, "result", name) !== undefined),
      ),
  },
  {
    id: "wire-older-no-modern-errors",
    title: "The error codes -32020, -32021 and -32022 are not sent",
    level: "should",
    spec: older,
    run: (context) =>
      expectNoMessage(context, "none of them", ({ message }) =>
        [-32020, -32021, -32022].includes(Number(dig(message, "error", "code"))),
      ),
  },
  {
    id: "wire-2025-06-18-no-url",
    title: "Nothing of url mode is sent to a revision without it",
    level: "must",
    spec: { "2025-06-18": "client/elicitation#creating-elicitation-requests" },
    run: (context) =>
      expectNoMessage(context, "no url mode, no -32042, no completion", ({ message }) => {
        const isUrl = dig(message, "params", "mode") === "url" || message?.method === completionMethod
        return isUrl || dig(message, "error", "code") === -32042
      }),
  },
  {
    id: "wire-older-request-ids",
    title: "Every request of the server has an id that is a string or a number",
    level: "must",
    spec: { "2025-11-25": "basic#requests", "2025-06-18": "basic#requests" },
    async run(context) {
      const ids = receivedMessages(context).flatMap(({ message }) => (isElicitation(message) ? [message?.id] : []))
      if (ids.length === 0) return skip("the server sends no requests")
      expect(
        ids.every((id) => typeof id === "string" || typeof id === "number"),
        "ids that are strings or numbers",
        ids,
      )
    },
  },
  {
    id: "wire-no-credentials",
    title: "No credential is sent, neither in a result nor in a question",
    level: "must",
    spec: {
      "2026-07-28": "client/elicitation#url-mode-elicitation-for-oauth-flows",
      "2025-11-25": "client/elicitation#url-mode-elicitation-for-oauth-flows",
    },
    async run(context) {
      for (const { message } of receivedMessages(context)) {
        const credential = credentialIn(JSON.stringify(withoutState(message)), context.target)
        expect(credential === undefined, "no credential", `${credential} in what the server sent`)
      }
    },
  },
]

const completionMethod = "notifications/elicitation/complete"
const isElicitation = (message: Json | undefined): boolean => message?.method === "elicitation/create"

function receivedMessages(context: CheckContext): readonly ReceivedMessage[] {
  return context.log.length > 0 ? context.log : skip("nothing was received")
}

async function expectNoMessage(
  context: CheckContext,
  expected: string,
  isWrong: (message: ReceivedMessage) => boolean,
): Promise<void> {
  const unexpectedMessage = receivedMessages(context).find(isWrong)
  expect(
    unexpectedMessage === undefined,
    expected,
    unexpectedMessage?.message ?? Object.fromEntries(unexpectedMessage?.headers ?? []),
  )
}

/** Removes requestState, which is opaque: text in it that looks like a credential proves nothing. */
function withoutState(message: Json | undefined): unknown {
  const { requestState: _, ...result } = (dig(message, "result") ?? {}) as Json
  return { ...message, result }
}
