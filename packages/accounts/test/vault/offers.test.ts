// What a person may allow together with what is needed, when they connect for the first time.

import type { OAuthProvider } from "@holdpoint/accounts"
import type { Elicitation } from "@holdpoint/hub"
import { alice } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect } from "vitest"
import { flowKind } from "../../src/vault/records.ts"
import type { Setup } from "./scripted.ts"
import { drive, need, setUp } from "./scripted.ts"

const endpoints = { authorization: "https://drive.example/authorize", token: "https://drive.example/token" }
const ours: OAuthProvider = { ...drive, endpoints, quirks: { scopes: "ignored" } }
const visitor = { principal: alice, session: "a-session" }
const offers = ["files", "mail", "calendar"]

async function asked({ vault, clock, hub }: Setup, scopes: readonly string[]): Promise<Elicitation> {
  vault.connect({ ...need, scopes, offers }).catch(() => {})
  await clock.advance(0)
  const [question] = await hub.list({ tenant: "acme", state: "open", limit: 10 })
  if (question === undefined) throw new Error("no question was asked")
  return question
}

const shownBy = async ({ vault }: Setup, question: Elicitation): Promise<string> =>
  (await vault.consent.request(question))?.digest ?? ""

const scopesIn = (given: readonly { readonly scope: string }[] | undefined): readonly string[] =>
  (given ?? []).map(({ scope }) => scope)

async function begunWith(setup: Setup, question: Elicitation): Promise<readonly string[]> {
  const flows = await setup.storage.records(flowKind).list({ tenant: "acme", owner: question.id, limit: 10 })
  return flows.flatMap(({ scopes }) => scopes)
}

describe("an offered scope", () => {
  verifies("consent.offers", "is optional beside the needed ones, and requested only when chosen", async () => {
    const setup = setUp({ providers: [ours] })
    const question = await asked(setup, ["files"])
    const request = await setup.vault.consent.request(question)
    expect(scopesIn(request?.scopes)).toEqual(["files"])
    expect(scopesIn(request?.offers)).toEqual(["mail", "calendar"])
    expect(question.message).toContain("You can allow more on the page.")
    const press = { shownDigest: request?.digest ?? "", allowedScopes: ["calendar", "payments"] }
    expect((await setup.vault.consent.begin(question, visitor, press)).kind).toBe("begun")
    expect(await begunWith(setup, question)).toEqual(["files", "calendar"])
  })

  verifies("consent.offers", "is not allowed by a press that did not choose it", async () => {
    const setup = setUp({ providers: [ours] })
    const question = await asked(setup, ["files"])
    const shownDigest = await shownBy(setup, question)
    expect((await setup.vault.consent.begin(question, visitor, { shownDigest })).kind).toBe("begun")
    expect(await begunWith(setup, question)).toEqual(["files"])
  })

  verifies("consent.offers", "becomes required once a call needs it, and is shown first", async () => {
    const setup = setUp({ providers: [ours] })
    const shownDigest = await shownBy(setup, await asked(setup, ["files"]))
    const now = await asked(setup, ["mail"])
    expect(await setup.vault.consent.begin(now, visitor, { shownDigest, allowedScopes: ["mail"] })).toEqual({
      kind: "outdated",
    })
    const request = await setup.vault.consent.request(now)
    expect(scopesIn(request?.scopes)).toEqual(["files", "mail"])
    expect(scopesIn(request?.offers)).toEqual(["calendar"])
  })

  verifies("consent.offers", "is not shown to a person who has connected already", async () => {
    const setup = setUp({ providers: [ours] })
    await setup.connected()
    const question = await asked(setup, ["mail"])
    const request = await setup.vault.consent.request(question)
    expect(scopesIn(request?.scopes)).toEqual(["files", "mail"])
    expect(request?.offers).toEqual([])
    expect(question.message).not.toContain("You can allow more")
  })
})
