// `holdpoint ask --to` finds a known person by name, e-mail address or id, and never guesses.

import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { describe, expect, it } from "vitest"
import type { Settings } from "../src/config.ts"
import { findPerson, type KnownPerson, peopleKnownTo } from "../src/people.ts"

const corp = { id: "corp", name: "Corp", issuer: "https://id.corp.example", client: { id: "x" }, tenant: "local" }
const me = { tenant: "local", issuer: "local", subject: "ana", roles: [] }
const settings = {
  me,
  identityProviders: [],
  pages: { host: "127.0.0.1", port: 4_650 },
} as unknown as Settings
const atCorp = { ...settings, identityProviders: [corp] } as Settings

const person = (subject: string, more: Partial<KnownPerson> & { readonly issuer?: string } = {}): KnownPerson => {
  const { issuer = corp.issuer, ...about } = more
  return { principal: { tenant: "local", issuer, subject }, seenAt: 1, ...about }
}
const zoe = person("u-1", { name: "Zoë  Martin", email: "Zoe@Corp.example" })
const max = person("u-2", { name: "Max", email: "max@corp.example" })
const idp = "http://127.0.0.1:4650/idp"

const find = (word: string, signedIn: readonly KnownPerson[], where = atCorp) =>
  findPerson(word, peopleKnownTo(where, signedIn), where)

describe("the person of --to", () => {
  it.each(["u-1", "zoë martin", "ZOE@corp.example", `u-1@${corp.issuer}`])("is found by “%s”", (word) => {
    expect(find(word, [zoe, max])).toEqual(zoe.principal)
  })

  it("is never guessed: two matching people are an error that lists both", () => {
    const twin = person("u-3", { name: "max" })
    expect(() => find("Max", [zoe, max, twin])).toThrow(/“Max” matches 2 people.*u-2@https.*u-3@https/s)
    expect(find(`u-3@${corp.issuer}`, [zoe, max, twin])).toEqual(twin.principal)
  })

  it("is ambiguous when the local person and another person have the same id, unless the issuer is given", () => {
    const ana = person("ana")
    expect(() => find("ana", [ana])).toThrow(/ana@local.*ana@https/s)
    expect(find("ana@local", [ana])).toMatchObject({ issuer: "local" })
  })

  it("is an error when unknown, which lists similar people and what to do", () => {
    expect(() => find("Zoe@corp.exampel", [zoe, max])).toThrow(/Did you mean:\n {2}--to 'u-1@https/)
    expect(() => find("martin", [zoe, max])).toThrow(/u-1@https.*\(Zoë {2}Martin, Zoe@Corp.example\)/)
    expect(() => find("otto", [zoe, max])).toThrow(/known once they have signed in.*'SUBJECT@ISSUER'.*'otto@local'/s)
    expect(() => find("otto", [zoe, max])).not.toThrow(/Did you mean/)
  })

  it("may be written with subject and issuer before the first sign-in", () => {
    expect(find("o@t@https://id.corp.example", [])).toMatchObject({ subject: "o@t", issuer: "https://id.corp.example" })
  })

  it("is not found at an identity provider that is no longer configured", () => {
    const former = person("u-9", { name: "Max", issuer: "https://old.example" })
    expect(find("max", [max, former])).toEqual(max.principal)
    expect(() => find("u-9", [max, former])).toThrow("No person called")
  })

  it("is the alice of the last started server, with the embedded identity provider", () => {
    const at = (port: number) => `http://127.0.0.1:${port}/idp`
    const [old, latest] = [
      person("alice", { issuer: at(4_651), seenAt: 5 }),
      person("alice", { issuer: at(4_652), seenAt: 9 }),
    ]
    expect(find("alice", [old, latest], settings)).toEqual(latest.principal)
    expect(find("alice", [], settings)).toMatchObject({ subject: "alice", issuer: idp })
  })

  it("is an error that names the right tenant when people sign in to another one", () => {
    const acme = { ...atCorp, identityProviders: [{ ...corp, tenant: "acme" }] } as Settings
    expect(() => find("zoe", [], acme)).toThrow("add --tenant acme")
  })
})

describe("holdpoint ask --to", () => {
  it("refuses an unknown person, with exit code 2, and asks nothing", async () => {
    const world = createWorld()
    const { code, err, out } = await world.run(["ask", "Deploy?", "--to", "alcie", "--no-wait"])
    expect([code, out]).toEqual([2, ""])
    expect(err).toContain(`--to 'alice@${idp}'  (Alice)`)
    expect((await world.run(["pending", "--all-people"])).out).toContain("No open questions")
  })

  it("asks its user by default, with “me” and by id", async () => {
    const world = createWorld()
    for (const words of [[], ["--to", "me"], ["--to", "ana"]])
      await world.run(["ask", "Deploy?", "--no-wait", ...words])
    expect(JSON.parse((await world.run(["pending", "--json"])).out)).toHaveLength(3)
  })

  it("tells where a person who signs in will answer, and when they have not signed in yet", async () => {
    const world = createWorld()
    const asking = world.start(["ask", "Deploy?", "--to", "alice", "--to", "carol@https://id.example"])
    await asking.prints(/carol \(https:\/\/id\.example\) has not signed in here yet/)
    await asking.prints(/answer {3}in the inbox at http:\/\/127\.0\.0\.1:4650\/inbox, signed in as alice/)
    asking.stop()
    expect((await asking.done).code).toBe(1)
  })
})
