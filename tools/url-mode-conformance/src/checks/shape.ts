// The shape of a question in url mode.

import { describeCallState } from "../call-state.ts"
import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import type { CheckContext } from "../check-context.ts"
import { dig, isRecord } from "../json.ts"

const urlMode = "client/elicitation#url-mode-elicitation-requests"
const errorSection = "client/elicitation#url-elicitation-required-error"
const mrtr = "basic/patterns/mrtr#server-requirements-basic-workflow"

export const shape: readonly UrlModeCheck[] = [
  {
    id: "url-asked",
    title: "A client that declares url mode is asked in url mode",
    level: "must",
    spec: { "2026-07-28": urlMode, "2025-11-25": urlMode },
    async run(context) {
      const url = context.tool("url")
      const { callState } = await context.call(url)
      const modes = callState.kind === "asked" ? callState.questions.map(({ mode }) => mode) : []
      expect(modes.includes("url"), `a question in url mode from ${url.name}`, describeCallState(callState))
    },
  },
  {
    id: "url-params-modern",
    title: "Its params are mode, message and url, and nothing else",
    level: "must",
    spec: { "2026-07-28": urlMode },
    run: (context) => expectNames(context, ["message", "mode", "url"], ["_meta"]),
  },
  {
    id: "url-params-2025",
    title: "Its params are mode, message, url and elicitationId, and nothing else",
    level: "must",
    spec: { "2025-11-25": urlMode },
    run: (context) => expectNames(context, ["elicitationId", "message", "mode", "url"], ["_meta", "task"]),
  },
  {
    id: "url-message",
    title: "Its message is not empty",
    level: "must",
    spec: {
      "2026-07-28": "client/elicitation#elicitation-requests",
      "2025-11-25": "client/elicitation#elicitation-requests",
    },
    async run(context) {
      const { message } = (await context.askUrl()).question.params
      expect(typeof message === "string" && message.trim() !== "", "a message that explains the question", message)
    },
  },
  {
    id: "url-id",
    title: "An elicitationId is a unique string: one id never belongs to two links",
    level: "must",
    spec: { "2025-11-25": urlMode },
    async run(context) {
      const [firstQuestion, secondQuestion] = [await context.askUrl(), await context.askUrl()]
      const ids = [firstQuestion, secondQuestion].map(({ question }) => question.params.elicitationId)
      expect(
        ids.every((id) => typeof id === "string" && id !== ""),
        "an elicitationId that is a string",
        ids,
      )
      expect(ids[0] !== ids[1] || firstQuestion.link === secondQuestion.link, "different ids for different links", ids)
    },
  },
  {
    id: "url-entries",
    title: "inputRequests contains only method and params, of an allowed method",
    level: "must",
    spec: { "2026-07-28": "basic/patterns/mrtr#inputrequests" },
    async run(context) {
      const { callState } = await context.askUrl()
      const methods = ["elicitation/create", "sampling/createMessage", "roots/list"]
      const entries = dig(callState.raw, "result", "inputRequests")
      for (const entry of isRecord(entries) ? Object.values(entries) : []) {
        expect(methods.includes(String(dig(entry, "method"))), `one of ${methods.join(", ")}`, entry)
        const names = Object.keys(isRecord(entry) ? entry : {}).sort()
        expect(
          names.every((name) => name === "method" || name === "params"),
          "method and params only",
          names,
        )
      }
    },
  },
  {
    id: "url-result-type",
    title: "A result that asks has the type input_required, with inputRequests or requestState",
    level: "must",
    spec: { "2026-07-28": mrtr },
    async run(context) {
      const { dialogue, callState } = await context.askUrl()
      expect(
        dig(callState.raw, "result", "resultType") === "input_required",
        "resultType input_required",
        callState.raw,
      )
      const nextState = await dialogue.answer({ action: "accept" }, context.quietMs)
      if (nextState.kind !== "waiting") return
      const { requestState } = nextState.raw.result as Readonly<Record<string, unknown>>
      expect(
        typeof requestState === "string" && requestState !== "",
        "requestState where nothing is asked",
        nextState.raw,
      )
    },
  },
  {
    id: "url-error",
    title: "The error -32042 lists elicitations in url mode only, each with a unique id and a link",
    level: "must",
    spec: { "2025-11-25": errorSection },
    async run(context) {
      const { callState } = await context.askUrl()
      if (callState.channel !== "error") return skip("the server asks by elicitation/create and not by -32042")
      const invalidQuestions = callState.questions.filter(
        ({ params, mode }) => mode !== "url" || typeof params.elicitationId !== "string",
      )
      expect(
        invalidQuestions.length === 0,
        "entries in url mode with an elicitationId",
        invalidQuestions.map(({ params }) => params),
      )
      const ids = callState.questions.map(({ params }) => params.elicitationId)
      expect(new Set(ids).size === ids.length, "different ids", ids)
      expect(typeof dig(callState.raw, "error", "message") === "string", "an error with a message", callState.raw)
    },
  },
]

async function expectNames(
  context: CheckContext,
  requiredNames: readonly string[],
  optionalNames: readonly string[],
): Promise<void> {
  const { params } = (await context.askUrl()).question
  const names = Object.keys(params).filter((name) => !optionalNames.includes(name))
  expect(names.sort().join() === [...requiredNames].sort().join(), `the params ${requiredNames.join(", ")}`, params)
  const texts = requiredNames.filter((name) => typeof params[name] !== "string")
  expect(texts.length === 0, "strings", params)
}
