// E-mails about questions to people who have no page open: the mails of a running server, the choice on the account
// page, and the unsubscribe link.

import { email } from "@holdpoint/email"
import { form, text } from "@holdpoint/hub"
import { type MailServer, startMailServer } from "@holdpoint/testkit/email/mail-server"
import type { JarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, expect, it } from "vitest"

let world: World
let mail: MailServer
let alice: JarBrowser
const refused = new Set<string>()
const ladder = [
  { outlet: "email", afterMs: 600_000 },
  { outlet: "email", afterMs: 90_000, kinds: ["mcp_elicitation"] },
] as const

beforeAll(async () => {
  mail = await startMailServer({ refuse: (address) => (refused.has(address) ? [550, "5.1.1 unknown"] : undefined) })
  const from = "Holdpoint <holdpoint@example.com>"
  world = await openWorld({ parts: [email({ smtp: { url: mail.url }, from, bounces: "bounces@example.com" })], ladder })
  alice = await world.signIn("alice")
  await world.signIn("bob")
})
afterAll(async () => {
  await world.close()
  await mail.close()
})

const askOf = async (subject: string, trigger: "approval" | "shell" = "approval") =>
  world.server.hub.ask({
    message: `May I go on with ${subject}?`,
    form: form({ note: text({ title: "Note" }) }),
    audience: world.person(subject),
    requester: { id: "deployer", name: "Deployer" },
    context: { trigger },
  })

/** Waits until the trail shows a state of the question. */
async function expectDelivery(id: string, kind: "shown" | "not_shown", via = "email"): Promise<void> {
  const signal = AbortSignal.timeout(10_000)
  const isTold = async () =>
    (await world.server.hub.trail({ id, limit: 100 })).some((entry) => entry.kind === kind && entry.detail.via === via)
  while (!(await isTold())) {
    signal.throwIfAborted()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const account = () => alice.open(`${world.server.publicUrl}/account`)

async function post(path: string, fields: Readonly<Record<string, string>>, csrf?: string) {
  const { publicUrl } = world.server
  const token = csrf ?? /name="csrf" value="([^"]+)"/.exec((await account()).text)?.[1] ?? ""
  return alice.ask(`${publicUrl}${path}`, {
    method: "POST",
    headers: { origin: publicUrl, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ csrf: token, ...fields }).toString(),
  })
}

/** A request of a mail program or a mail provider: no cookies, no origin. */
const strangerAt = (address: string, method: "GET" | "POST") =>
  fetch(address, {
    method,
    redirect: "manual",
    ...(method === "GET"
      ? {}
      : {
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: "List-Unsubscribe=One-Click",
        }),
  })

verifies("email.content", "a question that no page shows is mailed to the verified address", async () => {
  const { id } = await askOf("alice")
  await expectDelivery(id, "shown")
  const sent = mail.mails.at(-1)
  expect(sent?.to).toBe("alice@example.com")
  expect(sent?.text).toContain(`${world.server.publicUrl}/inbox/${id}`)
  expect(mail.envelopes.at(-1)?.from).toMatch(/^bounces\+[0-9a-f]{24}@example\.com$/)
})

verifies("email.content", "opening the links of a mail changes nothing, for its person and for strangers", async () => {
  const { id } = await askOf("alice")
  await expectDelivery(id, "shown")
  const { text: body = "", html = "" } = mail.mails.at(-1) ?? {}
  const links = [...`${body} ${html}`.matchAll(/https?:\/\/[^\s"<]+/g)].map(([link]) => link)
  expect(new Set(links).size).toBe(3)
  const before = JSON.stringify(await world.server.hub.get(id))
  for (const link of new Set(links)) {
    await strangerAt(link, "GET")
    await alice.open(link)
  }
  const after = await world.server.hub.get(id)
  expect(after?.status).toBe("pending")
  expect(JSON.stringify({ ...after, revision: 0 })).toBe(JSON.stringify({ ...JSON.parse(before), revision: 0 }))
  expect((await account()).text).not.toMatch(/<option value="never" selected>/)
  const next = await askOf("alice")
  await expectDelivery(next.id, "shown")
})

verifies("email.unsubscribe", "one click stops mails of that kind to that person, without signing in", async () => {
  const { id } = await askOf("alice")
  await expectDelivery(id, "shown")
  const link = /<(.+)>/.exec(mail.mails.at(-1)?.headers.get("list-unsubscribe") ?? "")?.[1] ?? ""
  const html = await (await strangerAt(link, "GET")).text()
  expect(html).toContain("Stop e-mails about approvals and other questions from programs?")
  const done = await strangerAt(link, "POST")
  expect([done.status, await done.text()]).toEqual([
    200,
    expect.stringContaining("You will get no more e-mails about approvals"),
  ])
  expect(done.headers.get("set-cookie")).toBeNull()
  expect((await world.server.hub.get(id))?.status).toBe("pending")
  const stopped = await askOf("alice")
  const others = [await askOf("alice", "shell"), await askOf("bob")]
  await expectDelivery(stopped.id, "not_shown")
  for (const other of others) await expectDelivery(other.id, "shown")
  expect(mail.mails.some(({ text: body }) => body.includes(stopped.id))).toBe(false)
  expect((await account()).text).toMatch(/name="email approval">[\s\S]*?<option value="never" selected>/)
  await post("/account/reach", { "email approval": "" })
  const again = await askOf("alice")
  await expectDelivery(again.id, "shown")
})

verifies("ladder.own-choice", "the account page shows the exact configured times", async () => {
  const { text: page } = await account()
  expect(page).toContain("Default: after 10 minutes")
  expect(page).toContain("Default: after 90 seconds")
})

verifies("email.unsubscribe", "an altered or invalid unsubscribe token stops no mails", async () => {
  const { id } = await askOf("bob")
  await expectDelivery(id, "shown")
  const link = /<(.+)>/.exec(mail.mails.at(-1)?.headers.get("list-unsubscribe") ?? "")?.[1] ?? ""
  const at = link.length - 6
  const altered = `${link.slice(0, at)}${link[at] === "A" ? "B" : "A"}${link.slice(at + 1)}`
  for (const method of ["GET", "POST"] as const) {
    expect((await strangerAt(altered, method)).status).toBe(404)
    expect((await strangerAt(`${world.server.publicUrl}/unsubscribe/x`, method)).status).toBe(404)
  }
  const next = await askOf("bob")
  await expectDelivery(next.id, "shown")
})

verifies(
  "email.dead-address",
  "a dead address is shown on the account page, and is used again on request",
  async () => {
    refused.add("alice@example.com")
    const { id } = await askOf("alice")
    await expectDelivery(id, "not_shown")
    refused.clear()
    expect((await world.server.hub.get(id))?.status).toBe("pending")
    const html = await account()
    expect(html.text).toMatch(/E-mails to <strong>alice@example\.com<\/strong> were returned/)
    expect((await post("/account/reach/address", {}, "forged")).status).toBe(403)
    expect((await post("/account/reach/address", {})).text).toContain("E-mails are sent to alice@example.com again.")
    const next = await askOf("alice")
    await expectDelivery(next.id, "shown")
  },
)

it("a person sets times and quiet hours on the account page, which reports invalid values", async () => {
  const wrong = await post("/account/reach", { email: "never", from: "22:00", to: "7", zone: "Berlin" })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain("must be a time of day such as 22:00")
  expect(wrong.text).toContain('value="Berlin"')
  expect((await account()).text).not.toMatch(/name="email">[\s\S]{0,400}<option value="never" selected>/)
  const fields = { email: "300000", "email shell": "never", "email approval": "7", from: "22:00", to: "07:00" }
  const saved = await post("/account/reach", { ...fields, zone: "Europe/Berlin", urgent: "yes" })
  expect(saved.text).toContain("Saved: how questions reach you.")
  expect(saved.text).toMatch(/<option value="300000" selected>After 5 minutes/)
  expect(saved.text).toMatch(/name="email shell">[\s\S]*?<option value="never" selected>/)
  expect(saved.text).toContain("Default: after 5 minutes")
  expect(saved.text).toContain('value="Europe/Berlin"')
  expect((await post("/account/reach", { email: "never" }, "forged")).status).toBe(403)
  await post("/account/reach", { email: "", "email shell": "" })
  expect((await account()).text).toContain("Default: after 10 minutes")
})
