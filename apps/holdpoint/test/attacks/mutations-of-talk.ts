// The checks of conversations with agents in Slack, and the tests that must fail when a check is removed.

import { type Mutation, within } from "./mutation.ts"

const talk = "packages/slack/test/agents/talk.test.ts"
const replies = "packages/slack/test/agents/replies.test.ts"
const processes = "packages/slack/test/agents/processes.test.ts"

export const talkMutations: readonly Mutation[] = [
  ...within("packages/slack/src/agents/begin.ts", [
    "a thread in Slack is a conversation of each person",
    "{ person, name, agent, ...message }",
    "{ person: { ...person, subject: 'alice' }, name, agent, ...message }",
    talk,
    "of another person in the same thread begins a conversation of their own",
  ]),
  ...within("packages/slack/src/agents/stop-runs.ts", [
    "a person stops only their own replies in Slack",
    " && isSamePerson(run.person, person)",
    "",
    talk,
    "cannot be ended by another person",
  ]),
  ...within("packages/slack/src/agents/records.ts", [
    "a message in Slack is answered once, whichever event reports it",
    '({ team, channel, ts }: Pick<SlackMessageEvent, "team" | "channel" | "ts">): string =>\n  `${team}:',
    "({ team, channel, ts, id }: any): string =>\n  `${id}:${team}:",
    processes,
    "as a mention and as a message of its channel is answered once",
  ]),
  ...within(
    "packages/slack/src/agents/hostile-text.ts",
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
    "packages/slack/src/agents/sender.ts",
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
    "packages/slack/src/agents/settle.ts",
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
  ...within("packages/slack/src/agents/stream-reply.ts", [
    "the text of a dropped step is removed in Slack",
    "if (reply.pending !== undefined || sent > unchangedLength)",
    "if (reply.pending !== undefined)",
    processes,
    "has the text of its unfinished step replaced when the step is repeated",
  ]),
  ...within("packages/slack/src/agents/pacer.ts", [
    "replies in Slack keep within its limits",
    '"chat.startStream": { perMinute: 18, burst: 15 }',
    '"chat.startStream": { perMinute: 1_000, burst: 1_000 }',
    processes,
    "are answered within Slack's limits",
  ]),
]
