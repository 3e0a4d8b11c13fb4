// The parts of a server (Slack, e-mail, webhooks) are named by themselves and by the command that has them all: everything
// else takes a list of parts.

import { expect, it } from "vitest"
import { isUnder, type Source, sources, toCode } from "./sources.ts"

/** The names of parts. E-mail is missing: an address is also a way to name a person. `slackMs` is a time. */
const names = /slack(?!Ms)|webhook/i

/** Sources that may name them: the parts, the command, and agents' protocols that have a webhook of their own. */
const parts = ["packages/slack", "packages/webhooks", "packages/a2a", "apps/holdpoint"]

/** Data about services of others, words that people call a secret, and the kinds of entries in the trail. */
const ofOthers = [
  "packages/accounts/src/vault/presets/",
  "packages/hub/src/secrets/",
  "packages/hub/src/ports/trail.ts",
]

it("nothing but the parts and the command names a part", () => {
  const rest = sources().filter(({ path }) => isUnder(path, "packages/*/src") && !isUnder(path, ...parts))
  const wrong = rest
    .filter(({ path }) => !ofOthers.some((place) => path.startsWith(place)))
    .flatMap((source) => {
      const name = nameIn(source)
      return name === undefined ? [] : [`${source.path} says “${name}”`]
    })
  expect(wrong, wrong.join("\n")).toEqual([])
})

it.each([
  ['const title = "Slack"', "Slack"],
  ["const webhooks = open()", "webhook"],
  ["// Slack and webhooks\nconst slackMs = 1", undefined],
])("finds a name in code and literals, and none in comments: %s", (text, name) => {
  expect(nameIn({ path: "packages/hub/src/a.ts", text })).toBe(name)
})

function nameIn({ text }: Source): string | undefined {
  const { code, literals } = toCode(text)
  return names.exec([code, ...literals].join("\n"))?.[0]
}
