// From an audience to addresses: the configuration, sign-ins and linked accounts combined.

import { linkedAccounts, toOwner } from "@holdpoint/accounts"
import type { Audience, Elicitation, Principal } from "@holdpoint/hub"
import { createMemoryStorage } from "@holdpoint/hub"
import type { Directory, LastingOutlet } from "@holdpoint/hub/outlets"
import { createDirectory, knownPeople } from "@holdpoint/hub/outlets"
import { introducePerson, listSignedIn, signedInPeople } from "@holdpoint/server/identity"
import { createTestClock } from "@holdpoint/testing"
import { formDraft } from "@holdpoint/testkit/fixtures"
import { settled, setUp } from "@holdpoint/testkit/hub/hub/setup"
import { connection } from "@holdpoint/testkit/records"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { connectionKind } from "../../../../packages/accounts/src/vault/records.ts"
import { toPerson } from "../../../../packages/server/src/identity/claims.ts"
import { noteSignedIn } from "../../../../packages/server/src/identity/people.ts"

const person = (subject: string, roles: readonly string[] = []): Principal => ({
  tenant: "acme",
  issuer: "https://id.example",
  subject,
  ...(roles.length === 0 ? {} : { roles }),
})
const alice = person("alice")
const bob = person("bob", ["operator"])
const carol = person("carol", ["operator", "auditor"])
const operators = { kind: "role", tenant: "acme", role: "operator" } as const
const day = 24 * 3_600_000

function world() {
  const storage = createMemoryStorage()
  const runtime = createTestClock()
  const signIn = (principal: Principal, email?: string) =>
    noteSignedIn({ storage, runtime }, { principal, ...(email === undefined ? {} : { email }) })
  return { storage, runtime, signIn, signedIn: signedInPeople({ storage, runtime }) }
}

const addresses = async (directory: Directory, kind: string, audience: Audience): Promise<readonly string[]> =>
  (await directory.find(kind, audience)).map(({ address }) => address)

describe("a directory", () => {
  verifies("directory.role-reaches-known-people", "resolves a role to all people known to have it", async () => {
    const { signedIn, signIn } = world()
    await signIn(bob, "bob@example.com")
    await signIn(person("dave", ["auditor"]), "dave@example.com")
    await signIn({ ...person("eve", ["operator"]), tenant: "globex" }, "eve@globex.example")
    const known = knownPeople([{ ...carol, addresses: { email: "carol@example.com", slack: "U3" } }])
    const directory = createDirectory([known, signedIn])
    expect(await addresses(directory, "email", operators)).toEqual(["carol@example.com", "bob@example.com"])
    expect(await addresses(directory, "slack", operators)).toEqual(["U3"])
    expect(await addresses(directory, "email", { ...operators, role: "unused-role" })).toEqual([])
  })

  it("combines a person from one source with their addresses from another, each once", async () => {
    const { signedIn, signIn } = world()
    await signIn(bob, "bob@example.com")
    const { roles: _, ...unknownRole } = bob
    const known = knownPeople([
      { ...unknownRole, addresses: { slack: "U2", email: "bob@example.com" } },
      { ...alice, addresses: { slack: "U1" } },
    ])
    const directory = createDirectory([known, signedIn])
    expect(await addresses(directory, "slack", operators)).toEqual(["U2"])
    expect(await addresses(directory, "email", { kind: "one", principal: bob })).toEqual(["bob@example.com"])
    expect(await addresses(directory, "slack", { kind: "any", principals: [alice, bob, alice] })).toEqual(["U1", "U2"])
  })

  it("names the person at each address, and returns an address that two people share once", async () => {
    const known = knownPeople([
      { ...carol, addresses: { email: "team@example.com" } },
      { ...bob, addresses: { email: "team@example.com" } },
      { ...bob, addresses: { email: "bob@example.com" } },
    ])
    const { roles: _, ...carolId } = carol
    const { roles: __, ...bobId } = bob
    expect(await createDirectory([known]).find("email", operators)).toEqual([
      { address: "team@example.com", person: carolId },
      { address: "bob@example.com", person: bobId },
    ])
  })

  it("lists the people who signed in to a tenant, as their identity provider last described them", async () => {
    const { storage, runtime, signIn } = world()
    await signIn(alice, "alice@example.com")
    await noteSignedIn({ storage, runtime }, { principal: bob, name: "Bob" })
    await noteSignedIn({ storage, runtime }, { principal: bob, name: "Robert" })
    await signIn({ ...bob, tenant: "globex" }, "bob@globex.example")
    const listed = await listSignedIn({ storage, runtime }, "acme")
    const seenAt = runtime.now()
    expect(listed.toSorted((a, b) => a.principal.subject.localeCompare(b.principal.subject))).toEqual([
      { principal: alice, email: "alice@example.com", seenAt },
      { principal: bob, name: "Robert", seenAt },
    ])
    await runtime.advance(90 * day)
    await introducePerson({ storage, runtime }, { principal: carol, name: "Carol" })
    expect(await listSignedIn({ storage, runtime }, "acme")).toEqual([
      { principal: carol, name: "Carol", seenAt: runtime.now() },
    ])
  })

  verifies("directory.linked-accounts", "finds a person's address in their connected accounts", async () => {
    const { storage } = world()
    const connections = storage.records(connectionKind)
    const own = { owner: toOwner(alice), tenant: "acme", provider: "slack", account: { id: "U1" } }
    await connections.insert(connection({ ...own, id: "c1", status: "active" }))
    await connections.insert(connection({ ...own, id: "c2", status: "revoked", account: { id: "U-old" } }))
    await connections.insert(connection({ ...own, id: "c3", status: "active", provider: "google" }))
    const directory = createDirectory([linkedAccounts(storage, { slack: "slack" })])
    expect(await addresses(directory, "slack", { kind: "one", principal: alice })).toEqual(["U1"])
    expect(await addresses(directory, "slack", { kind: "one", principal: bob })).toEqual([])
    expect(await addresses(directory, "email", { kind: "one", principal: alice })).toEqual([])
  })

  verifies("directory.verified-email-only", "accepts an address only when the provider has verified it", () => {
    const claims = { sub: "alice", name: "Alice", email: "alice@example.com" }
    const emailOf = (more: object) => {
      const person = toPerson({ tenant: "acme" }, alice.issuer, { ...claims, ...more })
      return person.ok ? person.email : undefined
    }
    expect(emailOf({ email_verified: true })).toBe("alice@example.com")
    for (const more of [{}, { email_verified: false }, { email_verified: "true" }]) {
      expect(emailOf(more)).toBeUndefined()
    }
    for (const email of ["alice", "a@b\r\nBcc: all@example.com", "Alice <a@b.example>", 7, ""]) {
      expect(emailOf({ email_verified: true, email })).toBeUndefined()
    }
  })

  verifies(
    "directory.people-are-forgotten",
    "keeps the data of the last sign-in, and deletes it after 90 days",
    async () => {
      const { storage, runtime, signedIn, signIn } = world()
      const find = (principal: Principal) => addresses(createDirectory([signedIn]), "email", { kind: "one", principal })
      await signIn(bob, "old@example.com")
      await signIn({ ...bob, roles: [] }, "new@example.com")
      expect(await find(bob)).toEqual(["new@example.com"])
      expect(await createDirectory([signedIn]).find("email", operators)).toEqual([])
      await signIn(bob)
      expect(await find(bob)).toEqual([])
      await signIn(bob, "new@example.com")
      await runtime.advance(89 * day)
      await signIn(bob, "new@example.com")
      await runtime.advance(89 * day)
      expect(await find(bob)).toEqual(["new@example.com"])
      await runtime.advance(day)
      expect(await find(bob)).toEqual([])
      const forgotten = await storage.retention.forget({
        contentReadBefore: 0,
        contentSettledBefore: 0,
        questionSettledBefore: 0,
        recordExpiresBy: runtime.now(),
      })
      expect(forgotten.records).toBe(1)
    },
  )

  verifies(
    "audience.one-several-or-role",
    "shows a question by the roles of the last sign-in, and accepts answers only by current roles",
    async () => {
      const { storage, runtime, signedIn, signIn } = world()
      await signIn(bob, "bob@example.com")
      const directory = createDirectory([signedIn])
      const { hub } = setUp({ storage, runtime, directory })
      const { id } = await hub.ask({ ...formDraft, audience: operators })
      expect(await addresses(directory, "email", operators)).toEqual(["bob@example.com"])
      const answer = { action: "accept", content: { ok: true } } as const
      const refused = await hub.answer(id, { ...answer, by: person("bob") })
      expect(refused).toMatchObject({ ok: false, refusal: { code: "not_addressee" } })
      expect(await hub.answer(id, { ...answer, by: bob })).toMatchObject({ ok: true, changed: true })
    },
  )

  verifies(
    ["directory.role-reaches-known-people", "delivery.every-address"],
    "lets a question to a role reach every person who has signed in with that role",
    async () => {
      const { storage, runtime, signedIn, signIn } = world()
      await signIn(bob, "bob@example.com")
      await signIn(carol, "carol@example.com")
      const posted: string[] = []
      const mail: LastingOutlet = {
        name: "mail",
        addressKind: "email",
        async post({ message }: Elicitation, { address }) {
          posted.push(`${address}: ${message}`)
          return { state: "shown", receipt: { address } }
        },
        find: async () => undefined,
        withdraw: async () => {},
      }
      const { hub, clock } = setUp({ storage, runtime, outlets: [mail], directory: createDirectory([signedIn]) })
      await hub.ask({ ...formDraft, audience: operators })
      await settled(clock)
      await runtime.advance(0)
      expect(posted.sort()).toEqual([
        `bob@example.com: ${formDraft.message}`,
        `carol@example.com: ${formDraft.message}`,
      ])
    },
  )
})
