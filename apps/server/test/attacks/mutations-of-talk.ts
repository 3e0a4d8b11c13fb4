// The checks of talking to agents in Slack, and the tests that must notice when one is taken away.

import { type Mutation, within } from "./mutation.ts"

const slack = "apps/server/src/agents/slack"
const talk = "apps/server/test/agents/slack/talk.test.ts"
const replies = "apps/server/test/agents/slack/replies.test.ts"
const processes = "apps/server/test/agents/slack/processes.test.ts"

export const talkMutations: readonly Mutation[] = [
  ...within(`${slack}/begin.ts`, [
    "a thread in Slack is a conversation of each person",
    "await conversations.find(person, name)\n  const earlier",
    "await conversations.find({ ...person, subject: 'alice' }, name)\n  const earlier",
    talk,
    "of another person in the same thread begins a conversation of their own",
  ]),
  ...within(`${slack}/stop-runs.ts`, [
    "only one's own replies are stopped in Slack",
    "await replies.list(afterId === undefined ? owned : { ...owned, afterId })",
    "await replies.list({ tenant: reply.tenant, limit: pageSize })",
    talk,
    "is not ended by another person",
  ]),
  ...within(`${slack}/talk.ts`, [
    "a message in Slack is answered once",
    "if (!(await replies.insert(reply)) && (await isStarted())) return",
    "if (!(await replies.insert(reply)) && (await waking.has(id))) return",
    processes,
    "is answered once, at the same and at another process, also when it was answered",
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
    [
      "a limit of Slack's is kept to",
      'if (made.attempt.is === "later") pacer.block',
      "if (false) pacer.block",
      replies,
      "waits as long as Slack says, and loses nothing",
    ],
  ),
  ...within(
    `${slack}/settle.ts`,
    [
      "a message of which it is unknown whether it was posted is looked for",
      "if (found.ts === undefined) return { all: reply.messages }",
      "return { all: reply.messages }",
      replies,
      "is posted once when the connection is lost",
    ],
    [
      "a message of which it is unknown what it contains is written again",
      'pending !== undefined && pending.act !== "post" && index === last',
      "false",
      replies,
      "is whole when the connection is lost in chat.appendStream, before",
    ],
    [
      "what a dropped step had said is taken back in Slack",
      "message.to <= unchanged && !isUnsure(index)",
      "!isUnsure(index)",
      processes,
      "takes back what its model had said in the step that is run again",
    ],
  ),
]
