// Checks of the texts on the inbox and the account page: a person's answers, their consequences, and what must not
// appear.

import { type Mutation, within } from "./mutation.ts"

const tabs = "apps/server/test/stories/inbox-tabs.browser.test.ts"
const countdown = "packages/holdpoint/test/surfaces/web/countdown.browser.test.ts"
const notifications = "apps/server/test/stories/notifications.browser.test.ts"
const popups = "packages/holdpoint/test/surfaces/web/popups.browser.test.ts"
const gone = "apps/server/test/pages/asker-gone.db.test.ts"
const history = "apps/server/test/pages/history.test.ts"

export const inboxMutations: readonly Mutation[] = [
  ...within("core/transition.ts", [
    "history: the yes or no outlives the content",
    "return { content, ...(yesOrNo === undefined ? {} : { said: yesOrNo }) }",
    "return { content, ...(yesOrNo === undefined ? {} : {}) }",
    history,
    "still does when the content of the answer was forgotten",
  ]),
  ...within("http/history.ts", [
    "history: another person's answer is theirs",
    'answeredBy !== undefined && isSamePerson(answeredBy, person) ? "You"',
    'answeredBy !== undefined && person !== undefined ? "You"',
    history,
    "does not claim for a person what another one said",
  ]),
  ...within("surfaces/web/said.ts", [
    "history: no session id",
    'if (surface === "mcp") return',
    'if (via === "mcp") return',
    history,
    "names the act that was chosen, its question, and where",
  ]),
  ...within(
    "hub/effects.ts",
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
  ...within("asking/run-call.ts", [
    "what follows: a stopped run is gone",
    'else await noteAsker(run, call, { questions: [left.id], state: "gone" })',
    "",
    gone,
    "says after a stop that the agent no longer waits",
  ]),
  ...within(
    "surfaces/web/assets/shared-stream.js",
    [
      "inbox tabs: one stream",
      "if (navigator.locks === undefined) openStream",
      "if (navigator.locks !== undefined) openStream",
      tabs,
      "all follow by one stream, and the browser can still fetch",
    ],
    [
      "inbox tabs: a suspended tab loses the stream",
      'document.addEventListener("visibilitychange", check)',
      "void check",
      tabs,
      "go on when the tab with the stream does not run",
    ],
  ),
  ...within("http/inbox.ts", [
    "inbox tabs: a stream for each session",
    "hashOf(guest.session.id)",
    'hashOf("one for all")',
    tabs,
    "have a stream each: the second one sees what is asked of them",
  ]),
  ...within(
    "surfaces/web/assets/countdown.js",
    [
      "countdown: buttons of an expired prompt",
      "button.disabled = true",
      "button.disabled = false",
      countdown,
      "looks expired when its time is over, without a reload",
    ],
    [
      "countdown: said once",
      "if (prompt.dataset[what] !== undefined) return",
      "words += Date.now()",
      countdown,
      "says how long is left, and counts the last minute down",
    ],
  ),
  ...within(
    "surfaces/web/assets/notifications.js",
    [
      "notifications: not what is asked",
      'body: "Open your inbox to answer."',
      "body: item.textContent",
      notifications,
      "is asked for by a click alone, and names the asker but not the question",
    ],
    [
      "notifications: switched off",
      'settings.get() !== "on") return',
      "settings === undefined) return",
      notifications,
      "is switched off again, and stays so after a reload",
    ],
    [
      "notifications: not while an inbox is looked at",
      "seen.has(id) || ",
      "",
      notifications,
      "is not shown while an inbox is looked at, in whichever tab",
    ],
  ),
  ...within("surfaces/web/assets/holdpoint.js", [
    "popups: over the middle of the page",
    "screenX + Math.max(0, (outerWidth - width) / 2)",
    "screenX",
    popups,
    "a window opens over the middle of the page, and within the screen",
  ]),
  ...within("surfaces/web/assets/holdpoint.css", [
    "popups: the button in sight",
    "position: sticky;\n    bottom: 0;",
    "position: static;\n    bottom: 0;",
    popups,
    "the button of the page",
  ]),
]
