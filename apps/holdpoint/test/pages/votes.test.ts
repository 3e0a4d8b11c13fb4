// A question that several people have to approve, on the pages: who has voted, who may not, and what a person can still
// do after their Yes.

import type { Principal } from "@holdpoint/hub"
import { choice, form, systemRuntime } from "@holdpoint/hub"
import { introducePerson } from "@holdpoint/server/identity"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { arrivePerson, codesOf, enterAs, newSubject, type Person } from "../attacks/setup.ts"

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const decision = form({ confirmed: choice({ yes: "Deploy", no: "Not now" }, { title: "Your answer" }) })

const principalOf = ({ subject }: Person): Principal => world.person(subject)

async function team() {
  const people = [await arrivePerson(world, "ann"), await arrivePerson(world, "ben"), await arrivePerson(world, "cem")]
  return people as [Person, Person, Person]
}

const ask = (people: readonly Person[], more: { readonly notBy?: Principal } = {}) =>
  world.server.hub.ask({
    ...{ form: decision, message: "Deploy to production?", requester: { id: "deployer" }, approvals: 2, ...more },
    audience: { kind: "any", principals: people.map(principalOf) },
  })

const pageOf = async ({ browser }: Person, id: string, end = "") => {
  const page = await browser.open(`${world.server.publicUrl}/inbox/${id}${end}`)
  return { ...page, text: page.text.slice(page.text.indexOf(end === "" ? "<article" : "<h1")) }
}

const buttonsOn = ({ text }: { readonly text: string }): readonly string[] =>
  [...text.matchAll(/<button(?![^>]* hidden)[^>]*>([^<]*)<\/button>/g)].map(([, label = ""]) => label)

describe("a question for a role", () => {
  const release = { kind: "role", tenant: "acme", role: "release" } as const

  async function member(name: string) {
    const principal = { ...world.person(newSubject(name)), roles: ["release"] }
    return { subject: principal.subject, principal, browser: await enterAs(world, principal) }
  }

  /** The person signs in, after their vote, with these roles. */
  async function signInAgain({ principal }: { readonly principal: Principal }, roles: readonly string[]) {
    const start = Date.now()
    await expect.poll(Date.now, { interval: 1 }).toBeGreaterThan(start)
    await introducePerson({ storage: world.storage, runtime: systemRuntime }, { principal: { ...principal, roles } })
  }

  const approve = async (person: Person, id: string) => person.browser.submit(await pageOf(person, id), { do: "yes" })

  verifies("votes.of-current-members", "does not count the Yes of a person who has lost the role since", async () => {
    const [ann, ben, cem] = [await member("ann"), await member("ben"), await member("cem")]
    const draft = { form: decision, message: "Deploy to production?", requester: { id: "deployer" }, approvals: 2 }
    const { id } = await world.server.hub.ask({ ...draft, audience: release })
    await approve(ann, id)
    await signInAgain(ann, ["press"])
    expect((await approve(ben, id)).text).toContain("1 of 2 people has approved.")
    expect(await world.server.hub.get(id)).toMatchObject({
      status: "pending",
      votes: [{ by: { subject: ben.subject } }],
    })
    await signInAgain(ben, ["press", "release"])
    expect((await approve(cem, id)).text).toContain("2 of 2 people have approved.")
    expect((await world.server.hub.get(id))?.status).toBe("completed")
    const trail = await world.server.hub.trail({ id, limit: 100 })
    expect(trail.filter(({ kind }) => kind === "voted").map(({ detail }) => detail.by?.subject)).toEqual([
      ann.subject,
      ben.subject,
    ])
  })
})

describe("a question that two of three people have to approve", () => {
  verifies("votes.shown-on-pages", "says how many have approved and who, and completes with the second", async () => {
    const [ann, ben, cem] = await team()
    const { id } = await ask([ann, ben, cem])
    const first = await pageOf(ann, id)
    expect(first.text).toContain("0 of 2 people have approved.")
    const after = await ann.browser.submit(first, { do: "yes" })
    expect(after.text).toContain("1 of 2 people has approved.")
    expect(after.text).toContain("You approved")
    expect(buttonsOn(await pageOf(ann, id))).toEqual(["Not now"])
    const second = await pageOf(ben, id)
    expect(second.text).toContain(`${ann.subject} approved`)
    expect(buttonsOn(second)).toEqual(["Deploy", "Not now"])
    const listed = await ben.browser.open(`${world.server.publicUrl}/inbox`)
    expect(listed.text).toContain("1 of 2 people has approved.")
    const done = await ben.browser.submit(second, { do: "yes" })
    expect(done.text).toContain("It was approved")
    expect(done.text).toContain("2 of 2 people have approved.")
    expect((await pageOf(cem, id)).text).toContain("It was approved")
    const timeline = await pageOf(cem, id, "/timeline")
    expect(timeline.text).toContain("Another person approved; more approvals are needed")
    expect((await world.server.hub.get(id))?.status).toBe("completed")
  })

  verifies("votes.no-declines", "is declined by a No with its reason, even by a person who had approved", async () => {
    const [ann, ben, cem] = await team()
    const { id } = await ask([ann, ben, cem])
    await ann.browser.submit(await pageOf(ann, id), { do: "yes" })
    const declinedPage = await ann.browser.submit(await pageOf(ann, id), {
      do: "no",
      reason: "The <b>tests</b> are red",
    })
    expect(declinedPage.text).toContain("You declined")
    expect(declinedPage.text).toContain("The &lt;b&gt;tests&lt;/b&gt; are red")
    const late = await world.server.hub.get(id)
    expect(late).toMatchObject({ status: "declined", reason: { message: "The <b>tests</b> are red" } })
    expect((await pageOf(ben, id)).text).toContain("Another person declined")
  })

  verifies(
    "votes.not-the-requester",
    "tells the person on whose behalf it is asked that others decide, and takes no vote from them",
    async () => {
      const [ann, ben, cem] = await team()
      const { id } = await ask([ann, ben, cem], { notBy: principalOf(ann) })
      const page = await pageOf(ann, id)
      expect(page.text).toContain("This was asked on your behalf, so somebody else has to answer it.")
      expect(buttonsOn(page)).toEqual([])
      const whole = await ann.browser.open(`${world.server.publicUrl}/inbox/${id}`)
      const csrf = /name="csrf" value="([^"]*)"/.exec(whole.text)?.[1] ?? ""
      const forged = await ann.browser.ask(`${world.server.publicUrl}/inbox/${id}`, {
        method: "POST",
        headers: { origin: world.server.publicUrl, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ csrf, do: "yes" }).toString(),
      })
      expect(forged.status).toBeLessThan(400)
      expect(await codesOf(world, id)).toEqual(["own_request"])
      expect((await world.server.hub.get(id))?.votes).toBeUndefined()
    },
  )
})
