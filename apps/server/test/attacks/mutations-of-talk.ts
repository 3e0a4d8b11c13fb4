// The checks of conversations with agents in Slack, and the tests that must fail when a check is removed.

import { type Mutation, within } from "./mutation.ts"

const slack = "apps/server/src/agents/slack"
const talk = "apps/server/test/agents/slack/talk.test.ts"
const replies = "apps/server/test/agents/slack/replies.test.ts"
const processes = "apps/server/test/agents/slack/processes.test.ts"

export const talkMutations: readonly Mutation[] = [
  ...within("apps/server/src/agents/slack/begin.ts", [
    "a thread in Slack is a conversation of each person",
    "{ person, name, agent, ...message }",
    "{ person: { ...person, subject: 'alice' }, name, agent, ...message }",
    talk,
    "of another person in the same thread begins a conversation of their own",
  ]),
  ...within("apps/server/src/agents/slack/stop-runs.ts", [
    "a person stops only their own replies in Slack",
    " && isSamePerson(run.person, person)",
    "",
    talk,
    "cannot be ended by another person",
  ]),
  ...within("apps/server/src/agents/slack/records.ts", [
    "a message in Slack is answered once, whichever event reports it",
    '({ team, channel, ts }: Pick<SlackMessageEvent, "team" | "channel" | "ts">): string =>\n  `${team}:',
    "({ team, channel, ts, id }: any): string =>\n  `${id}:${team}:",
    processes,
    "as a mention and as a message of its channel is answered once",
  ]),
  ...within(
    "apps/server/src/agents/slack/hostile-text.ts",
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
    "apps/server/src/agents/slack/sender.ts",
    [
      "links of a model are not previewed in Slack",
      "unfurl_links: false, unfurl_media: false, link_names: false",
      "link_names: false",
      replies,
      "is posted without link previews and without turning names into mentions",
    ],
    [
      "a process that lost a reply in Slack removes what it posted",
      'await call(workspace, "chat.delete", { channel, ts })\n  throw',
      "await Promise.resolve()\n  throw",
      processes,
      "leaves the reply to another process, and adds nothing when it resumes",
    ],
  ),
  ...within(
    "apps/server/src/agents/slack/settle.ts",
    [
      "a message that may have been posted in Slack is looked up",
      "if (search.ts === undefined) return { all: reply.messages }",
      "return { all: reply.messages }",
      replies,
      "is posted once when the connection is lost",
    ],
    [
      "a message in Slack with unknown content is written again",
      'pending !== undefined && pending.act !== "post" && index === last',
      "false",
      replies,
      "is complete when the connection is lost in chat.appendStream, before",
    ],
  ),
  ...within("apps/server/src/agents/slack/stream-reply.ts", [
    "the text of a dropped step is removed in Slack",
    "if (reply.pending !== undefined || sent > unchangedLength)",
    "if (reply.pending !== undefined)",
    processes,
    "has the text of its unfinished step replaced when the step is repeated",
  ]),
  ...within("apps/server/src/agents/slack/pacer.ts", [
    "replies in Slack keep within its limits",
    '"chat.startStream": { perMinute: 18, burst: 15 }',
    '"chat.startStream": { perMinute: 1_000, burst: 1_000 }',
    processes,
    "are answered within Slack's limits",
  ]),
]
