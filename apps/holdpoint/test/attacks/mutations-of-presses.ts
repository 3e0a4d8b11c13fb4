// The checks that keep presses from counting that a person did not mean.

import { type Mutation, within } from "./mutation.ts"

const steady = "packages/server/test/web/steady.browser.test.ts"

export const pressMutations: readonly Mutation[] = [
  ...within(
    "packages/hub/src/forms/steady.mjs",
    [
      "accident: an act takes no press until it has stood still for 700 ms",
      "const stillMs = 700",
      "const stillMs = 0",
      steady,
      "takes no press for 700 ms, says why, and takes the next one",
    ],
    [
      "accident: a press counts when it began on a still act, not when it ends there",
      "const press = isByKey ? keyPress : pointerPress",
      "const press = undefined",
      steady,
      "takes no press that began before the 700 ms were over",
    ],
    [
      "accident: the repetitions of a held key press nothing",
      "if (event.repeat) {",
      "if (event.key === undefined) {",
      steady,
      "takes no key that was held since before, and keeps the focus",
    ],
    [
      "accident: an act takes no press where the last press was",
      "&& !isUnderLastPress(act, box)",
      "",
      steady,
      "takes no press on the next page, until the pointer has left it",
    ],
    [
      "accident: the place of the last press is known on the next page",
      "  place = takePlace()\n",
      "",
      steady,
      "takes no press on the next page, until the pointer has left it",
    ],
    [
      "accident: on a touch screen, what ended keeps its place",
      "(pointer?.canHover && ",
      "(pointer === undefined || ",
      steady,
      "keeps its place on a touch screen, where an aiming finger cannot be seen",
    ],
  ),
  ...within("packages/server/src/web/assets/inbox.js", [
    "accident: a question that ended elsewhere keeps its place",
    "const releaseHeight = keepHeight(item)",
    "const releaseHeight = () => {}",
    steady,
    "keeps its place until the mouse has left the list",
  ]),
  ...within("packages/widget/src/question-card.ts", [
    "accident: the buttons of a card are guarded",
    "{ elements: body.buttons, ",
    "{ elements: [], ",
    "apps/holdpoint/test/stories/presses.browser.test.ts",
    "presses by mouse reach nothing but what the person aimed at",
  ]),
  ...within("apps/holdpoint/src/demo/panel/cards.ts", [
    "accident: the buttons of the panel's prompts are guarded",
    '[...element.querySelectorAll(".buttons button")]',
    "[]",
    "apps/holdpoint/test/stories/panel-moments.browser.test.ts",
    "takes no press until it has stood still",
  ]),
  ...within("packages/server/src/http/request-checks.ts", [
    "accident: without scripts, a press too soon after the page was made does not count",
    "if (isTooSoon(fields, site))",
    'if (fields.has("never"))',
    "apps/holdpoint/test/pages/yes-or-no.test.ts",
    "does not count less than 700 ms after its page was made, and says so",
  ]),
]
