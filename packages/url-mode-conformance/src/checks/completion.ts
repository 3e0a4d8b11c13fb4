// notifications/elicitation/complete, which only 2025-11-25 has: sent to the asking client, with the question's id.

import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import type { CheckContext } from "../check-context.ts"
import { within } from "../dialogue.ts"
import type { Json } from "../json.ts"
import { dig } from "../json.ts"
import type { Session } from "../legacy.ts"
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
      const { own, id } = await finishOne(context)
      const params = own.map((notification) => dig(notification, "params"))
      expect(
        params.every((param) => typeof dig(param, "elicitationId") === "string"),
        "an elicitationId",
        params,
      )
      expect(
        own.every((notification) => dig(notification, "params", "elicitationId") === id),
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
      const { own, id } = await finishOne(context)
      const count = own.filter((notification) => dig(notification, "params", "elicitationId") === id).length
      expect(count === 1, "one notification", `${count} of them`)
    },
  },
  {
    id: "complete-initiator",
    title: "It is sent to the asking client only, and to no other client of this or another person",
    level: "must",
    spec: section,
    async run(context) {
      const others = [await context.session()]
      if (context.target.people?.second !== undefined) others.push(await context.session({ who: "second" }))
      await finishOne(context)
      for (const other of others)
        expect(completionsOf(other).length === 0, "nothing on another client's stream", completionsOf(other))
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
      await within(completionReceived(session), context.quietMs)
      const early = completionsOf(session)
      expect(early.length === 0, "nothing while the page is open", early)
    },
  },
]

const completionsOf = ({ notifications }: Session): readonly Json[] =>
  notifications.filter((notification) => notification.method === method)

/** Resolves when the session has received a completion. */
async function completionReceived(session: Session): Promise<void> {
  while (completionsOf(session).length === 0) await session.nextMessage()
}

/** Finishes a question of a session, and returns the completions that the session received. */
async function finishOne(context: CheckContext): Promise<{ readonly own: readonly Json[]; readonly id: unknown }> {
  const session = await context.session()
  const asked = await context.askUrl({ session })
  const { dialogue, question, link, callState } = asked
  if (typeof question.params.elicitationId !== "string") return skip("the question has no elicitationId")
  if (callState.channel === "push") await consent(context, asked)
  await context.finish(link)
  if (callState.channel === "push") await runToEnd(context, dialogue)
  await within(completionReceived(session), context.quietMs)
  const own = completionsOf(session)
  if (own.length === 0) return skip("the server does not send this optional notification")
  await within(session.nextMessage(), context.quietMs)
  return { own: completionsOf(session), id: question.params.elicitationId }
}
