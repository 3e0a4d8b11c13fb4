// The checks of the run API's event stream, and the tests that must fail when a check is removed.

import { type Mutation, within } from "./mutation.ts"

const stream = "packages/agents/test/events.test.ts"
const timeline = "packages/agents/test/timeline.test.ts"
const steps = "packages/hub/test/hub/timeline.test.ts"
const whatHappened = "apps/holdpoint/test/pages/timeline.test.ts"
const callers = "packages/agents/test/event-callers.test.ts"

const sharedStream = "packages/widget/test/shared-stream.test.ts"

export const eventMutations: readonly Mutation[] = [
  ...within(
    "packages/agents/src/http/events/route.ts",
    [
      "events: a conversation is the caller's own",
      "conversations.idOf(principal, name)",
      'conversations.idOf({ ...principal, subject: "alice" }, name)',
      callers,
      "never shows another person's conversation of the same name, nor their questions",
    ],
    [
      "events: a token for one conversation has no inbox",
      "isPerson && conversation === undefined",
      "isPerson || conversation === undefined",
      callers,
      "follows only that conversation, and shows nothing of the inbox",
    ],
    [
      "events: only the caller's own conversations",
      "const read = names.map((name) => readName(name, caller))",
      "const read = names.map((name) => readName(name, {}))",
      callers,
      "is refused with conversation=mine",
    ],
    [
      "events: the caller's rights are checked before each event",
      "!(await accessRight.isValid())",
      "false",
      callers,
      "sends nothing more once the token has expired",
    ],
    [
      "events: a session that ends elsewhere ends the stream",
      'entry.kind === "signed_out"',
      'entry.kind === "signed_in"',
      callers,
      "ends when the session is ended elsewhere",
    ],
    [
      "events: one stream follows a limited number of conversations",
      "names.length > mostConversations",
      "names.length > mostConversations * 2",
      stream,
      "is refused with more than twenty conversations",
    ],
    [
      "events: a new reply is followed",
      "bells.get(conversationIdOfRun(entry.id))?.wake()",
      "bells.get(entry.id)?.wake()",
      stream,
      "has the replies of all its conversations, including later ones",
    ],
  ),
  ...within(
    "packages/agents/src/http/events/inbox.ts",
    [
      "events: a program's token does not show the inbox",
      "if (!(await isShownTo(parts, caller, step))) continue",
      "",
      callers,
      "shows the questions of their conversations, and not the rest of their inbox",
    ],
    [
      "events: the number of events that are read again is limited",
      "end - after <= mostRepeated",
      "end - after >= 0",
      stream,
      "says how many questions are open, and no more, to a client that missed too much",
    ],
  ),
  ...within("packages/agents/src/http/events/replies.ts", [
    "events: ended replies are not repeated",
    "const isOver = lastRun === undefined || hasEnded(lastRun)",
    "const isOver = lastRun === undefined",
    stream,
    "and has nothing of ended ones",
  ]),
  ...within("packages/agents/src/http/chat.ts", [
    "a reply that is read on another stream is not awaited",
    "if (chat.isElsewhere) return toAcceptedResponse(chat, reply.run)",
    "",
    stream,
    "is accepted immediately with the ids of the conversation and of the reply",
  ]),
  ...within(
    "packages/widget/src/shared-stream.ts",
    [
      "tabs: a gap in a reply is noticed",
      "if (isMissing) onEvent",
      "if (false) onEvent",
      sharedStream,
      "loads again when events are missing, in a reply or at the beginning of one",
    ],
    [
      "tabs: events before the stream opened are noticed",
      "|| number > lastPosition.number",
      "|| number < 0",
      sharedStream,
      "loads again when the conversation has continued and the stream is silent",
    ],
  ),
  ...within("packages/widget/src/shared-events.ts", [
    "tabs: a tab that takes over continues after the last event",
    "cursor = event.id",
    "void event.id",
    "packages/widget/test/shared-events.test.ts",
    "continue after the last event when the tab that reads closes",
  ]),
  ...within(
    "packages/agents/src/agent.ts",
    [
      "timeline: a call that is resumed has begun once",
      "if (!(await isBegunScope(context.ask, name))) await",
      "await",
      timeline,
      "writes a call down once, however often its run is resumed",
    ],
    [
      "timeline: a call is known before what it asks",
      'await context.noteCall({ code: "begun", call: facts })',
      "void 0",
      timeline,
      "has every step of a reply that asked",
    ],
  ),
  ...within("packages/agents/src/run-entries.ts", [
    "timeline: a denied call is not shown as done",
    'if (type === "execution-denied") return "denied"',
    "",
    timeline,
    "says how an approval was answered",
  ]),
  ...within("packages/hub/src/hub/timeline.ts", [
    "timeline: an entry that is written twice is shown once",
    "const isNew = !reported.has(key)",
    "const isNew = true",
    steps,
    "shows a step once, even if a second process wrote it again after the first one died",
  ]),
  ...within(
    "packages/server/src/http/timeline.ts",
    [
      "timeline page: a shared question does not show the run behind it",
      'audience.kind === "one" && isSamePerson(audience.principal, person)',
      "canAnswer({ audience }, person)",
      whatHappened,
      "shows nothing of the run that asked to a person who shares only the question",
    ],
    [
      "timeline page: other people's questions of the call are left out",
      'kind === "asked" && isAnswerable(detail, person)',
      'kind === "asked" && detail !== undefined',
      whatHappened,
      "adds nothing to the page of one's own question in the same call",
    ],
  ),
  ...within("packages/agents/src/http/mount.ts", [
    "a stream whose body is never read is closed",
    'if (request.method === "HEAD") await response.body?.cancel()',
    "",
    stream,
    "is closed immediately for a request that reads no body",
  ]),
]
