// Checks of the texts on the inbox and the account page: a person's answers, their consequences, and what must not
// appear.

import { type Mutation, within } from "./mutation.ts"

const tabs = "apps/holdpoint/test/stories/inbox-tabs.browser.test.ts"
const countdown = "packages/server/test/web/countdown.browser.test.ts"
const notifications = "apps/holdpoint/test/stories/notifications.browser.test.ts"
const popups = "packages/server/test/web/popups.browser.test.ts"
const gone = "apps/holdpoint/test/pages/asker-gone.db.test.ts"
const history = "apps/holdpoint/test/pages/history.test.ts"

export const inboxMutations: readonly Mutation[] = [
  ...within("packages/hub/src/core/transition.ts", [
    "history: the Yes or No outlives the content",
    "return { content, ...(yesOrNo === undefined ? {} : { said: yesOrNo }) }",
    "return { content, ...(yesOrNo === undefined ? {} : {}) }",
    history,
    "names the act even after the content of the answer was deleted",
  ]),
  ...within("packages/server/src/http/history.ts", [
    "history: another person's answer is not shown as “You”",
    'answeredBy !== undefined && isSamePerson(answeredBy, person) ? "You"',
    'answeredBy !== undefined && person !== undefined ? "You"',
    history,
    "does not attribute another person's answer to the person who reads it",
  ]),
  ...within("packages/server/src/web/answer-words.ts", [
    "history: no session id",
    'if (surface === "mcp") return',
    'if (via === "mcp") return',
    history,
    "names the act that was chosen, its question, and where it was chosen",
  ]),
  ...within(
    "packages/hub/src/hub/effects.ts",
    [
      "what follows: a killed program is gone",
      'return life === "runs" ? "waits" : life',
      'return life === "unknown" ? life : "waits"',
      gone,
      "that was killed says so before and after the answer",
    ],
    [
      "what follows: a caller that gave up is gone",
      'holders === 0 ? "gone"',
      'holders < 0 ? "gone"',
      gone,
      "that gave up during the consent says that the account stays connected",
    ],
  ),
  ...within("packages/calls/src/run-call.ts", [
    "what follows: a stopped run is gone",
    'if (isFinished && gone.length > 0) await noteAsker(run, call, { questions: gone, state: "gone" })',
    "",
    gone,
    "says after a stop that the agent no longer waits",
  ]),
  ...within(
    "packages/server/src/web/assets/shared-stream.js",
    [
      "inbox tabs: one stream",
      "if (navigator.locks === undefined) openStream",
      "if (navigator.locks !== undefined) openStream",
      tabs,
      "all follow through one stream, and the browser can still fetch",
    ],
    [
      "inbox tabs: a suspended tab loses the stream",
      'document.addEventListener("visibilitychange", check)',
      "void check",
      tabs,
      "continue when the tab with the stream is suspended",
    ],
  ),
  ...within("packages/server/src/http/inbox.ts", [
    "inbox tabs: a stream for each session",
    "hashOf(guest.session.id)",
    'hashOf("one for all")',
    tabs,
    "have separate streams: the second person sees their own questions",
  ]),
  ...within(
    "packages/server/src/web/assets/countdown.js",
    [
      "countdown: buttons of an expired prompt are disabled",
      "button.disabled = true",
      "button.disabled = false",
      countdown,
      "looks expired when its time is over, without a reload",
    ],
    [
      "countdown: each time is announced once",
      "if (prompt.dataset[what] !== undefined) return",
      "words += Date.now()",
      countdown,
      "says how long is left, and counts the last minute down",
    ],
  ),
  ...within(
    "packages/server/src/web/assets/notifications.js",
    [
      "notifications: no text of the question",
      'body: "Open your inbox to answer."',
      "body: item.textContent",
      notifications,
      "notifications are requested only by a click, and name the asker but not the question",
    ],
    [
      "notifications: none after they are switched off",
      'settings.get() !== "on") return',
      "settings === undefined) return",
      notifications,
      "notifications can be switched off again, and stay off after a reload",
    ],
    [
      "notifications: none for what a visible inbox shows",
      "seen.has(id) || ",
      "",
      notifications,
      "a notification is shown once, and only while no tab shows the inbox",
    ],
  ),
  ...within("packages/server/src/web/assets/holdpoint.js", [
    "popups: they open over the middle of the page",
    "screenX + Math.max(0, (outerWidth - width) / 2)",
    "screenX",
    popups,
    "a window opens over the middle of the page, and within the screen",
  ]),
  ...within("packages/server/src/web/assets/holdpoint.css", [
    "popups: the button stays visible",
    "position: sticky;\n    bottom: 0;",
    "position: static;\n    bottom: 0;",
    popups,
    "the button of the page",
  ]),
]
