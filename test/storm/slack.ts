// Slack in a storm: the stand-in, whose people are the people of the storm, and the messages that are left in it at the end.

import type { PrincipalId, Storage } from "@holdpoint/hub"
import { type Message, type SlackStandIn, startSlackStandIn } from "@holdpoint/slack-stand-in"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { createLinks } from "../../packages/slack/src/links.ts"
import { keyPattern, type MessageFact, type QuestionFact } from "./facts.ts"

/** The account of a person in the workspace. */
export const accountOf = (subject: string): string => `U0${subject.toUpperCase()}`

export async function openSlackWorld(subjects: readonly string[]): Promise<SlackStandIn> {
  const users = subjects.map((subject) => ({ id: accountOf(subject), name: subject, email: `${subject}@example.com` }))
  // Without Slack's limits, which would make the quiet period minutes long.
  const slack = await startSlackStandIn({ teams: [{ users }], isLimited: false })
  noteCanary("slack_token", slack.team().botToken)
  noteCanary("slack_signing_secret", slack.signingSecret)
  return slack
}

export const slackEnvironment = (slack: SlackStandIn): Readonly<Record<string, string>> => ({
  ...{ SLACK_BOT_TOKEN: slack.team().botToken, SLACK_SIGNING_SECRET: slack.signingSecret },
  SLACK_API_URL: slack.apiUrl,
})

/** Links the accounts, as people do once before they use Slack. */
export async function linkAccounts(
  storage: Storage,
  slack: SlackStandIn,
  people: readonly PrincipalId[],
): Promise<void> {
  const links = createLinks({ storage, runtime: { now: Date.now }, personNow: async () => undefined } as never)
  const team = { team: slack.team().id, teamName: slack.team().name }
  for (const person of people)
    await links.link({ ...team, user: accountOf(person.subject), userName: person.subject }, person)
}

/** The buttons of a message. The value of one that answers is the id of its question. */
export const buttonsOf = ({ blocks = [] }: Message): readonly Button[] =>
  blocks.flatMap((block) => (block.type === "actions" ? (block.elements as readonly Button[]) : []))

export interface Button {
  readonly action_id: string
  readonly value?: string
}

/** The messages that still ask about questions that have ended. */
export function slackFacts(
  slack: SlackStandIn,
  { questions, owedPosts }: { readonly questions: readonly QuestionFact[]; readonly owedPosts: ReadonlySet<string> },
): readonly MessageFact[] {
  const ended = new Map(questions.filter(({ status }) => status !== "pending").map((one) => [one.id, one]))
  return slack.team().messages.flatMap((message): readonly MessageFact[] => {
    const question = buttonsOf(message).flatMap(({ value = "" }) => ended.get(value) ?? [])[0]
    if (question === undefined) return []
    const [about = question.id] = keyPattern.exec(question.message) ?? []
    return [{ outlet: `Slack, ${message.channel}`, about, isWithdrawn: false, isOwed: owedPosts.has(question.id) }]
  })
}
