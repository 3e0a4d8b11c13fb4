// The checks of conversations with agents in Slack, and the tests that must fail when a check is removed.

import { type Mutation, within } from "./mutation.ts"

const slack = "apps/server/src/agents/slack"
const talk = "apps/server/test/agents/slack/talk.test.ts"
const replies = "apps/server/test/agents/slack/replies.test.ts"
const processes = "apps/server/test/agents/slack/processes.test.ts"

export const talkMutations: readonly Mutation[] = [
  ...within(`${slack}/begin.ts`, [
    "a thread in Slack is a conversation of each person",
    "{ person, name, agent, ...message }",
    "{ person: { ...person, subject: 'alice' }, name, agent, ...message }",
    talk,
    "of another person in the same thread begins a conversation of their own",
  ]),
  ...within(`${slack}/stop-runs.ts`, [
    "only one's own replies are stopped in Slack",
    " && isSamePerson(run.person, person)",
    "",
    talk,
    "is not ended by another person",
  ]),
  ...within(`${slack}/records.ts`, [
    "a message in Slack is answered once, whichever event tells of it",
    '({ team, channel, ts }: Pick<SlackMessageEvent, "team" | "channel" | "ts">): string =>\n  `${team}:',
    "({ team, channel, ts, id }: any): string =>\n  `${id}:${team}:",
    processes,
    "as a mention and as a message of its channel is answered once",
  ]),
  ...within(
    `${slack}/hostile-text.ts`,
    [
      "a model mentions no person in Slack by its markup",
      "text.replace(markup, `$&${joiner}`)",
      "text",
      replies,
      "mentions no person, whatever the model says",
    ],
    [
      "a model mentions no person in Slack by a plain name",
      ".replace(plain, `$&${joiner}`)",
      "",
      replies,
      "mentions no person, whatever the model says",
    ],
  ),
  ...within(
    `${slack}/sender.ts`,
    [
      "links of a model are not previewed in Slack",
      "unfurl_links: false, unfurl_media: false, link_names: false",
      "link_names: false",
      replies,
      "is posted without previews of links and without names made into mentions",
    ],
    [
      "a process that lost a reply in Slack takes back what it posted",
      'await call(workspace, "chat.delete", { channel, ts })\n  throw',
      "await Promise.resolve()\n  throw",
      processes,
      "leaves it to another one, and adds nothing when it goes on",
    ],
  ),
  ...within(
    `${slack}/settle.ts`,
    [
      "a message in Slack of which it is unknown whether it was posted is looked for",
      "if (search.ts === undefined) return { all: reply.messages }",
      "return { all: reply.messages }",
      replies,
      "is posted once when the connection is lost",
    ],
    [
      "a message in Slack of which it is unknown what it contains is written again",
      'pending !== undefined && pending.act !== "post" && index === last',
      "false",
      replies,
      "is whole when the connection is lost in chat.appendStream, before",
    ],
  ),
  ...within(`${slack}/stream-reply.ts`, [
    "what a dropped step had said is taken back in Slack",
    "if (reply.pending !== undefined || sent > unchanged)",
    "if (reply.pending !== undefined)",
    processes,
    "takes back what its model had said in the step that is run again",
  ]),
  ...within(`${slack}/pacer.ts`, [
    "replies in Slack keep within its limits",
    '"chat.startStream": { perMinute: 18, burst: 15 }',
    '"chat.startStream": { perMinute: 1_000, burst: 1_000 }',
    processes,
    "are answered within Slack's limits",
  ]),
]
