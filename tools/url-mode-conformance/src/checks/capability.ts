// Clients are asked only in the modes that they declared, and a client that cannot be asked still gets an answer.

import { describeCallState, textOf, toCallState } from "../call-state.ts"
import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import type { CheckContext } from "../check-context.ts"
import { bothModes, emptyElicitation, formOnly, noCapabilities, urlOnly } from "../check-context.ts"
import { dig, type Json } from "../json.ts"
import { responsesTo, sendModern } from "../modern-client.ts"
import type { UrlModeTool } from "../target.ts"

const section = "client/elicitation#capabilities"
const everyRevision = { "2026-07-28": section, "2025-11-25": section, "2025-06-18": section }
const since2025 = { "2026-07-28": section, "2025-11-25": section }
const mrtr = "basic/patterns/mrtr#server-requirements-basic-workflow"

export const capability: readonly UrlModeCheck[] = [
  {
    id: "capability-none",
    title: "A client that declares no elicitation is not asked",
    level: "must",
    spec: everyRevision,
    run: (context) => expectNoQuestion(context, noCapabilities, ["url", "form"]),
  },
  {
    id: "capability-none-answered",
    title: "A client that cannot be asked gets an answer with an explanation",
    level: "should",
    spec: { ...everyRevision, "2026-07-28": "client/elicitation#error-handling" },
    async run(context) {
      const callState = (await context.call(context.tool("url"), { capabilities: noCapabilities })).callState
      if (callState.kind === "asked") return skip("the client is asked anyway")
      const words =
        callState.kind === "done"
          ? textOf(callState.result)
          : callState.kind === "refused"
            ? dig(callState.raw, "error", "message")
            : ""
      expect(
        typeof words === "string" && words.trim() !== "",
        "a result or an error with a text",
        describeCallState(callState),
      )
    },
  },
  {
    id: "capability-bare",
    title: "An empty elicitation capability means forms: no url mode",
    level: "must",
    spec: everyRevision,
    run: (context) => expectNoQuestion(context, emptyElicitation, ["url"]),
  },
  {
    id: "capability-form-only",
    title: "A client that declares forms only is not asked in url mode",
    level: "must",
    spec: since2025,
    run: (context) => expectNoQuestion(context, formOnly, ["url"]),
  },
  {
    id: "capability-url-only",
    title: "A client that declares url mode only is not sent a form",
    level: "must",
    spec: since2025,
    async run(context) {
      const tool = context.tool("form")
      await expectNoQuestionFrom(context, tool, urlOnly, ["form"])
    },
  },
  {
    id: "capability-no-error-without-url",
    title: "The error -32042 is not sent to a client without url mode",
    level: "must",
    spec: { "2025-11-25": "client/elicitation#url-elicitation-required-error", "2025-06-18": section },
    async run(context) {
      for (const capabilities of [noCapabilities, emptyElicitation]) {
        const { callState } = await context.call(context.tool("url"), { capabilities })
        const isError = "raw" in callState && dig(callState.raw, "error", "code") === -32042
        expect(!isError, "an answer other than -32042", "raw" in callState ? callState.raw : callState.kind)
      }
    },
  },
  {
    id: "capability-missing-error",
    title: "The error -32021 comes with HTTP 400 and names the missing capability",
    level: "must",
    spec: { "2026-07-28": "schema#missingrequiredclientcapabilityerror" },
    async run(context) {
      const { callState } = await context.call(context.tool("url"), { capabilities: noCapabilities })
      if (callState.kind !== "refused" || callState.code !== -32021)
        return skip("the server does not answer with -32021")
      expect(callState.status === 400, "HTTP 400", callState.status)
      expect(
        dig(callState.raw, "error", "data", "requiredCapabilities", "elicitation") !== undefined,
        "requiredCapabilities.elicitation",
        callState.raw,
      )
    },
  },
  {
    id: "capability-per-request",
    title: "The capabilities of an earlier request do not apply to a later one",
    level: "must",
    spec: { "2026-07-28": "basic#statelessness" },
    async run(context) {
      await context.askUrl({ capabilities: bothModes })
      await expectNoQuestion(context, noCapabilities, ["url", "form"])
    },
  },
  {
    id: "capability-retry",
    title: "A retry that declares less is asked only in the modes that it declares",
    level: "must",
    spec: { "2026-07-28": mrtr },
    async run(context) {
      const { callState } = await context.askUrl()
      const tool = context.tool("url")
      const pendingRequest = sendModern(context.client(), {
        method: "tools/call",
        capabilities: noCapabilities,
        params: {
          name: tool.name,
          arguments: tool.arguments ?? {},
          ...responsesTo(callState, { action: "accept" }),
          requestState: dig(callState.raw, "result", "requestState"),
        },
      })
      const timer = setTimeout(() => pendingRequest.abort(), context.quietMs)
      const reply = await pendingRequest.reply.catch(() => undefined)
      clearTimeout(timer)
      if (reply === undefined) return
      const nextState = toCallState(reply.message, reply.status)
      expect(nextState.kind !== "asked", "no question", describeCallState(nextState))
    },
  },
]

async function expectNoQuestion(context: CheckContext, capabilities: Json, modes: readonly string[]): Promise<void> {
  await expectNoQuestionFrom(context, context.tool("url"), capabilities, modes)
}

async function expectNoQuestionFrom(
  context: CheckContext,
  tool: UrlModeTool,
  capabilities: Json,
  modes: readonly string[],
): Promise<void> {
  const { callState } = await context.call(tool, { capabilities })
  const questions = callState.kind === "asked" ? callState.questions : []
  const forbiddenQuestions = questions.filter(
    ({ mode, method }) => method !== "elicitation/create" || modes.includes(mode) || mode === "undefined",
  )
  const declaredModes = JSON.stringify(dig(capabilities, "elicitation") ?? "no elicitation")
  expect(
    forbiddenQuestions.length === 0,
    `no ${modes.join(" and no ")} mode for a client that declares ${declaredModes}`,
    describeCallState(callState),
  )
}
