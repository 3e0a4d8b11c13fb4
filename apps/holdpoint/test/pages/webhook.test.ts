// The webhook of a program on its page: set, tested, repeated, paused and removed by its person, and by no other.

import { noteCanary } from "@holdpoint/testkit/canaries/note"
import type { JarBrowser, Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { openReceiver, type Receiver, withStatus } from "@holdpoint/testkit/webhooks/receiver"
import { webhooks } from "@holdpoint/webhooks"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { arrivePerson } from "../attacks/setup.ts"

let world: World
beforeAll(async () => {
  world = await openWorld({ parts: [webhooks({ allowLoopback: true })] })
})
afterAll(() => world.close())

/** The part of a page with the form whose button has this action. */
function formOf(page: Visited, what: string): Visited {
  const from = page.text.indexOf(`name="do" value="${what}"`)
  if (from === -1) throw new Error(`There is no form for ${what}.`)
  return { ...page, text: page.text.slice(page.text.lastIndexOf("<form", from)) }
}

async function makeProgram(browser: JarBrowser, name: string) {
  const account = await browser.open(`${world.server.publicUrl}/account`)
  const from = account.text.indexOf('action="/account/keys"')
  const form = { ...account, text: account.text.slice(account.text.lastIndexOf("<form", from)) }
  const page = await browser.submit(form, { name })
  const [key = ""] = /hp_[0-9a-f]{16}_[\w-]{43}/.exec(page.text) ?? []
  noteCanary("program_key", key)
  return { key, path: `/account/keys/${key.slice(3, 19)}/webhook` }
}

async function setWebhook(browser: JarBrowser, path: string, receiver: Receiver) {
  const page = await browser.open(`${world.server.publicUrl}${path}`)
  const done = await browser.submit(formOf(page, "set"), {
    ...{ url: receiver.url, event: "question.asked", hears: "own" },
  })
  const [secret = ""] = /whsec_[\w+/]{43}=/.exec(done.text) ?? []
  noteCanary("webhook_secret", secret)
  receiver.secrets.push(secret)
  return { done, secret }
}

async function openSet(name: string) {
  const person = await arrivePerson(world, name)
  const [{ key, path }, receiver] = [await makeProgram(person.browser, "My script"), await openReceiver()]
  const { secret, done } = await setWebhook(person.browser, path, receiver)
  const open = (): Promise<Visited> => person.browser.open(`${world.server.publicUrl}${path}`)
  const act = async (what: string, fields = {}) => person.browser.submit(formOf(await open(), what), fields)
  return { ...person, key, path, receiver, secret, done, open, act }
}

describe("a person", () => {
  it("sets a webhook, sees its secret once, and what was sent", async () => {
    const { key, subject, receiver, secret, done, open, browser } = await openSet("alice")
    expect([done.status, done.headers.get("cache-control")]).toEqual([200, "no-store"])
    const { issuer } = world.person(subject)
    const body = JSON.stringify({ message: "Go on?", confirm: true, audience: { issuer, subject } })
    const headers = { authorization: `Bearer ${key}` }
    await fetch(`${world.server.publicUrl}/api/questions`, { method: "POST", headers, body })
    await expect.poll(() => receiver.types()).toEqual(["question.asked"])
    await expect.poll(async () => (await open()).text).toContain("<p>Accepted</p>")
    const { text } = await open()
    expect(text).toContain(receiver.received[0]?.id)
    expect(text).not.toContain(secret)
    expect((await browser.open(`${world.server.publicUrl}/account`)).text).toMatch(/Webhook.*: active/)
  })

  it("tests a webhook, repeats what was sent, and sees failures", async () => {
    const { act, receiver, open } = await openSet("alice")
    expect((await act("test")).text).toContain("The receiver accepted the test event.")
    const { id } = receiver.received[0] ?? {}
    await act("again", { delivery: id })
    await expect.poll(() => receiver.received.map((one) => one.id)).toEqual([id, id])
    receiver.answerWith(withStatus(500))
    expect((await act("test")).text).toContain("The test event has not been accepted: status 500.")
    expect((await open()).text).toContain("Nothing has been accepted since")
  })

  it("pauses, resumes, rotates and removes a webhook", async () => {
    const { act, open, receiver } = await openSet("alice")
    await act("pause")
    expect((await open()).text).toContain("Paused")
    expect((await open()).text).not.toContain('value="test"')
    await act("resume")
    const rotated = await act("rotate")
    const [secret = ""] = /whsec_[\w+/]{43}=/.exec(rotated.text) ?? []
    noteCanary("webhook_secret", secret)
    receiver.secrets.splice(0, 1, secret)
    expect((await act("test")).text).toContain("accepted the test event")
    await act("remove")
    expect((await open()).text).toContain("Set the webhook")
  })

  it("is told what is wrong with an address, which stays in the form", async () => {
    const person = await arrivePerson(world, "alice")
    const { path } = await makeProgram(person.browser, "Other script")
    const page = await person.browser.open(`${world.server.publicUrl}${path}`)
    const refused = await person.browser.submit(formOf(page, "set"), {
      ...{ url: "https://169.254.169.254/latest", event: "question.asked" },
    })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain("The address cannot be used: it is not a public address.")
    expect(refused.text).toContain('value="https://169.254.169.254/latest"')
    expect((await person.browser.open(`${world.server.publicUrl}${path}`)).text).toContain("Set the webhook")
  })

  it("can neither see nor change another person's webhook, and posts from other sites do nothing", async () => {
    const [alice, bob] = [await openSet("alice"), await arrivePerson(world, "bob")]
    expect((await bob.browser.open(`${world.server.publicUrl}${alice.path}`)).status).toBe(404)
    const account = await bob.browser.open(`${world.server.publicUrl}/account`)
    const csrf = /<input[^>]*name="csrf"[^>]*>/.exec(account.text)?.[0]
    for (const what of ["set", "remove", "rotate", "pause", "test"]) {
      const forged = { ...account, text: `<form method="post" action="${alice.path}">${csrf}</form>` }
      const posted = await bob.browser.submit(forged, {
        do: what,
        url: "https://evil.example/",
        event: "question.asked",
      })
      expect(posted.status, what).toBe(404)
    }
    const own = formOf(await alice.open(), "remove")
    const foreign = await alice.browser.submit(own, {}, { headers: { "sec-fetch-site": "cross-site" } })
    expect(foreign.status).toBe(403)
    expect((await alice.open()).text).toContain(alice.receiver.url)
    expect(alice.receiver.received).toEqual([])
  })
})
