// No machine, stranger or other person may finish a question by its link, and no altered link may finish it.

import { describeCallState } from "../call-state.ts"
import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import type { CheckContext } from "../check-context.ts"
import type { ToolCall } from "../dialogue.ts"
import { send, submit, visit } from "../link-visit.ts"
import { alter } from "../state-retry.ts"
import { consent } from "./flow.ts"

const safeUrlSection = "client/elicitation#safe-url-handling"
const phishing = "client/elicitation#phishing"
const phishingSections = { "2026-07-28": phishing, "2025-11-25": phishing }

export const link: readonly UrlModeCheck[] = [
  {
    id: "link-fetch",
    title: "A machine that fetches the link does not finish the question",
    level: "must",
    spec: { "2026-07-28": safeUrlSection, "2025-11-25": safeUrlSection },
    async run(context) {
      const askedQuestion = await context.askUrl()
      const { link } = askedQuestion
      const dialogue = await consent(context, askedQuestion)
      await send(context.target.fetch, link, { method: "HEAD" })
      await visit(context.target.fetch, link)
      await expectStillWaiting(context, dialogue, "a link that does not finish when it is opened without a sign-in")
    },
  },
  {
    id: "link-signed-in",
    title: "The link is not a sign-in: its page shows a stranger no personal data",
    level: "must",
    spec: { "2026-07-28": safeUrlSection, "2025-11-25": safeUrlSection },
    async run(context) {
      const askedQuestion = await context.askUrl()
      await consent(context, askedQuestion)
      const { link } = askedQuestion
      const { personal } = context.target
      if (personal === undefined) return skip("no personal data is known to look for (--personal)")
      const page = await visit(context.target.fetch, link)
      const isShown = personal.some((datum) => page.text.includes(datum))
      expect(!isShown, "a page that shows nothing before a sign-in", "personal data on it")
    },
  },
  {
    id: "link-stranger",
    title: "A form that a stranger submits on the page is not accepted",
    level: "must",
    spec: phishingSections,
    async run(context) {
      const askedQuestion = await context.askUrl()
      const { link } = askedQuestion
      const dialogue = await consent(context, askedQuestion)
      const page = await visit(context.target.fetch, link)
      if (context.isCompleted(await dialogue.continueCall(context.quietMs)))
        return skip("fetching the link already finishes the call")
      for (const form of page.forms) await submit(context.target.fetch, page, form)
      await expectStillWaiting(context, dialogue, "a form that does not finish when it is sent without a sign-in")
    },
  },
  {
    id: "link-forwarded",
    title: "Another person who opens the link, signed in as themselves, does not finish the question",
    level: "must",
    spec: phishingSections,
    async run(context) {
      context.requireSecondPerson()
      const askedQuestion = await context.askUrl()
      const { link } = askedQuestion
      const dialogue = await consent(context, askedQuestion)
      await context.finish(link, "second")
      await expectStillWaiting(context, dialogue, "a question that still waits for the person who was asked")
    },
  },
  {
    id: "link-altered",
    title: "A link with another id does not finish the question, and causes no server error",
    level: "must",
    spec: phishingSections,
    async run(context) {
      const askedQuestion = await context.askUrl()
      const dialogue = await consent(context, askedQuestion)
      const alteredLink = alterLink(askedQuestion.link)
      const { status } = await visit(context.target.fetch, alteredLink)
      expect(status < 500, "a page that says there is nothing here", `HTTP ${status}`)
      await context.finish(alteredLink)
      await expectStillWaiting(context, dialogue, "an altered link that does not finish the question")
    },
  },
  {
    id: "link-named-person",
    title: "Naming a person in the link does not make its visitor that person",
    level: "must",
    spec: {
      "2026-07-28": "client/elicitation#identifying-the-user",
      "2025-11-25": "client/elicitation#identifying-the-user",
    },
    async run(context) {
      context.requireSecondPerson()
      const askedQuestion = await context.askUrl()
      const { link } = askedQuestion
      const dialogue = await consent(context, askedQuestion)
      const url = new URL(link)
      const names = context.target.personal ?? ["first"]
      for (const name of ["user", "sub", "email"]) url.searchParams.set(name, names[0] ?? "first")
      await context.finish(url.href, "second")
      await expectStillWaiting(context, dialogue, "a question that still waits for the person who was asked")
    },
  },
]

async function expectStillWaiting(context: CheckContext, dialogue: ToolCall, expected: string): Promise<void> {
  const [question] = dialogue.questions
  const callState = await dialogue.continueCall(context.quietMs)
  expect(!context.isCompleted(callState), expected, describeCallState(callState))
  const isReported = question !== undefined && dialogue.isCompletionReported(question)
  expect(!isReported, expected, "notifications/elicitation/complete for this question")
}

/** Changes one character of the longest opaque part of the path or the query. */
export function alterLink(link: string): string {
  const url = new URL(link)
  const parts = [...url.pathname.split("/"), ...url.searchParams.values()].filter((part) => /^[\w.~-]{6,}$/.test(part))
  const longestPart = parts.sort((a, b) => b.length - a.length)[0]
  if (longestPart === undefined) return skip("the link contains no id that could be altered")
  return link.replace(longestPart, alter(longestPart, 0.5))
}
