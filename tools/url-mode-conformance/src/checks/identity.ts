// A question belongs to the person whose client asked for it, identified by verified credentials only.

import { describeCallState } from "../call-state.ts"
import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import { bothModes } from "../check-context.ts"
import { adoptSession, openSession } from "../legacy-session.ts"
import { sendModern } from "../modern-client.ts"

const identifying = "client/elicitation#identifying-the-user"
const stateful = "client/elicitation#statefulness"
const binding = "client/elicitation#security-considerations"

export const identity: readonly UrlModeCheck[] = [
  {
    id: "identity-own-question",
    title: "Two people get separate questions: different links, different ids",
    level: "must",
    spec: { "2026-07-28": binding, "2025-11-25": binding },
    async run(context) {
      context.requireSecondPerson()
      const [firstQuestion, secondQuestion] = [await context.askUrl(), await context.askUrl({ person: "second" })]
      expect(firstQuestion.link !== secondQuestion.link, "two links", `${firstQuestion.link} for both`)
      const ids = [firstQuestion, secondQuestion].map(({ question }) => question.params.elicitationId)
      expect(ids[0] === undefined || ids[0] !== ids[1], "two ids", ids)
    },
  },
  {
    id: "identity-credentials",
    title: "A client without credentials is not asked in a person's name",
    level: "must",
    spec: { "2026-07-28": identifying, "2025-11-25": identifying },
    async run(context) {
      if (context.target.people?.first === undefined) return skip("no credentials are known (--token)")
      const tool = context.tool("url")
      const client = { ...context.client(), target: { ...context.target, people: {} } }
      if (!context.isModern) {
        const sessionResult = await openSession(client, bothModes)
        if ("session" in sessionResult) await sessionResult.session.close()
        expect("refusal" in sessionResult, "HTTP 401", "a session")
        return
      }
      const params = { name: tool.name, arguments: tool.arguments ?? {} }
      const { status } = await sendModern(client, { method: "tools/call", params, capabilities: bothModes }).reply
      expect(status === 401 || status === 403, "HTTP 401", `HTTP ${status}`)
    },
  },
  {
    id: "identity-foreign-session",
    title: "A session id alone does not give another person access to the owner's questions",
    level: "must",
    spec: { "2025-11-25": stateful },
    async run(context) {
      context.requireSecondPerson()
      const session = await context.session()
      if (session.id === undefined) return skip("the server keeps no sessions")
      const { link, question } = await context.askUrl({ session })
      const foreignSession = adoptSession(context.client("second"), bothModes, session.id)
      const { callState, ...dialogue } = await context.call(context.tool("url"), { session: foreignSession })
      if (callState.kind !== "asked") return
      const [foreignQuestion] = callState.questions
      const ids = [foreignQuestion, question].map((request) => request?.params.elicitationId)
      const isOwnersQuestion = ids[0] === undefined ? foreignQuestion?.url === link : ids[0] === ids[1]
      expect(
        !isOwnersQuestion,
        "a refusal, or a separate question for the other person",
        "the question of the session's owner",
      )
      if (context.target.finish === undefined || foreignQuestion?.url === undefined) return
      if (callState.channel === "push") await dialogue.answer({ action: "accept" }, context.quietMs)
      await context.finish(foreignQuestion.url, "first")
      const nextState = await dialogue.continueCall(context.quietMs)
      expect(
        !context.isCompleted(nextState),
        "a question that only the other person can finish",
        describeCallState(nextState),
      )
      await foreignSession.close()
    },
  },
  {
    id: "identity-foreign-answer",
    title: "Only the person who was asked can answer",
    level: "must",
    spec: { "2025-11-25": binding, "2025-06-18": "client/elicitation#security-considerations" },
    async run(context) {
      context.requireSecondPerson()
      const { dialogue, question, callState } = await context.askForm()
      if (callState.channel !== "push") return skip("nothing is pushed")
      const otherSession = await context.session({ person: "second" })
      await otherSession.respond(question.key, { action: "accept", content: context.contentFor(question) })
      const nextState = await dialogue.continueCall(context.quietMs)
      expect(nextState.kind === "held", "a call that still waits for its own person", describeCallState(nextState))
      const finalState = await dialogue.answer({ action: "accept", content: context.contentFor(question) })
      expect(finalState.kind !== "held", "the person's own answer accepted", describeCallState(finalState))
    },
  },
]
