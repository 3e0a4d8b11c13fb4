// notifications/elicitation/complete, which only 2025-11-25 has: sent to the asking client, with the question's id.

import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import type { CheckContext } from "../check-context.ts"
import { withTimeout } from "../dialogue.ts"
import type { Json } from "../json.ts"
import { dig } from "../json.ts"
import type { Session } from "../legacy-session.ts"
import { consent, runToEnd } from "./flow.ts"

const section = { "2025-11-25": "client/elicitation#completion-notifications-for-url-mode-elicitation" }
const method = "notifications/elicitation/complete"

export const completion: readonly UrlModeCheck[] = [
  {
    id: "complete-id",
    title: "The notification contains the id of the question, and no other",
    level: "must",
    spec: section,
    async run(context) {
      const { completions, id } = await finishOne(context)
      const params = completions.map((notification) => dig(notification, "params"))
      expect(
        params.every((param) => typeof dig(param, "elicitationId") === "string"),
        "an elicitationId",
        params,
      )
      expect(
        completions.every((notification) => dig(notification, "params", "elicitationId") === id),
        `the id ${id}`,
        params,
      )
    },
  },
  {
    id: "complete-once",
    title: "It is sent once",
    level: "should",
    spec: section,
    async run(context) {
      const { completions, id } = await finishOne(context)
      const count = completions.filter((notification) => dig(notification, "params", "elicitationId") === id).length
      expect(count === 1, "one notification", `${count} of them`)
    },
  },
  {
    id: "complete-initiator",
    title: "It is sent to the asking client only, and to no other client of this or another person",
    level: "must",
    spec: section,
    async run(context) {
      const otherSessions = [await context.session()]
      if (context.target.people?.second !== undefined) otherSessions.push(await context.session({ person: "second" }))
      await finishOne(context)
      for (const otherSession of otherSessions)
        expect(
          completionsOf(otherSession).length === 0,
          "nothing on another client's stream",
          completionsOf(otherSession),
        )
    },
  },
  {
    id: "complete-not-before",
    title: "It is not sent before the page is done",
    level: "must",
    spec: section,
    async run(context) {
      const session = await context.session()
      const { dialogue } = await context.askUrl({ session })
      await dialogue.answer({ action: "accept" }, context.quietMs)
      await withTimeout(waitForCompletion(session), context.quietMs)
      const earlyCompletions = completionsOf(session)
      expect(earlyCompletions.length === 0, "nothing while the page is open", earlyCompletions)
    },
  },
]

const completionsOf = ({ notifications }: Session): readonly Json[] =>
  notifications.filter((notification) => notification.method === method)

/** Resolves when the session has received a completion. */
async function waitForCompletion(session: Session): Promise<void> {
  while (completionsOf(session).length === 0) await session.nextMessage()
}

/** Finishes a question of a session, and returns the completions that the session received. */
async function finishOne(
  context: CheckContext,
): Promise<{ readonly completions: readonly Json[]; readonly id: unknown }> {
  const session = await context.session()
  const askedQuestion = await context.askUrl({ session })
  const { dialogue, question, link, callState } = askedQuestion
  if (typeof question.params.elicitationId !== "string") return skip("the question has no elicitationId")
  if (callState.channel === "push") await consent(context, askedQuestion)
  await context.finish(link)
  if (callState.channel === "push") await runToEnd(context, dialogue)
  await withTimeout(waitForCompletion(session), context.quietMs)
  const completions = completionsOf(session)
  if (completions.length === 0) return skip("the server does not send this optional notification")
  await withTimeout(session.nextMessage(), context.quietMs)
  return { completions: completionsOf(session), id: question.params.elicitationId }
}
