// Paths of pages come from one address book, and those of a part from its own: no source writes them by hand.

import { paths } from "@holdpoint/hub"
import { describe, expect, it } from "vitest"
import { emailPaths } from "../../packages/email/src/paths.ts"
import { aliases } from "../../packages/hub/src/core/addresses.ts"
import { slackPaths } from "../../packages/slack/src/paths.ts"
import { webhookPaths } from "../../packages/webhooks/src/paths.ts"
import { isUnder, type Source, sources, toCode } from "./sources.ts"

/** The address book of the pages, and those of the parts. */
const addressBooks = [
  "packages/hub/src/core/addresses.ts",
  ...["slack", "email", "webhooks"].map((part) => `packages/${part}/src/paths.ts`),
]

/** Sources with equal paths of other servers. */
const others = ["packages/accounts/src/vault/presets", "tools/nextcloud-stand-in", "tools/url-mode-conformance"]

/** The paths up to their first parameter. */
const written = new Set(
  [paths, emailPaths, slackPaths, webhookPaths, aliases]
    .flatMap((book) => Object.values(book).flat())
    .map((path) => path.replace(/\/?:.*$/, "")),
)
written.delete("/")

describe("paths of pages", () => {
  it("are written only in the address book", () => {
    const faults = sources()
      .filter(
        ({ path }) =>
          isUnder(path, "packages/*/src", "apps/*/src") && !isUnder(path, ...others) && !addressBooks.includes(path),
      )
      .flatMap((source) => faultsOf(source).map((fault) => `${source.path} writes ${fault}`))
    expect(faults, faults.join("\n")).toEqual([])
  })

  it.each([
    'toRedirect("/inbox")',
    `const link = \`\${publicUrl}/connect/\${id}\``,
    'html`<a href="/account">Account</a>`',
    'const back = "/signin?choose"',
    `const url = \`\${publicUrl}/oauth/callback/\${provider.id}\``,
    'pages.get("/user/page")',
  ])("are detected in: %s", (text) => {
    expect(faultsOf({ text })).not.toEqual([])
  })

  it.each([
    'import { connect } from "./connect.ts"',
    "toRedirect(paths.inbox)",
    'const endpoint = "/oauth/authorize"',
    '"https://login.example/accounts"',
    "// opens /inbox",
  ])("are not detected in: %s", (text) => {
    expect(faultsOf({ text })).toEqual([])
  })
})

function faultsOf({ text }: Pick<Source, "text">): readonly string[] {
  const pieces = toCode(text).literals
  return [...written].filter((path) => {
    const used = new RegExp(`(?:^|["'=(])${path.replaceAll("-", "\\-")}(?=[/?#"'\\s)]|$)`)
    return pieces.some((piece) => used.test(piece))
  })
}
