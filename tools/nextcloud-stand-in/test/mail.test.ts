// The stand-in's Mail app responds as its openapi.json and its controllers define, and stores sent messages.

import { describe, expect, it } from "vitest"
import { receiveMail } from "../src/mail/store.ts"
import { createStandIn } from "../src/server.ts"

type Fields = Readonly<Record<string, unknown>>

function setUp() {
  const standIn = createStandIn()
  const ask = async (
    method: string,
    path: string,
    { user = "alice", json }: { user?: string; json?: unknown } = {},
  ) => {
    const response = await standIn.fetch(
      new Request(`http://localhost/ocs/v2.php/apps/mail${path}`, {
        method,
        headers: {
          authorization: `Basic ${btoa(`${user}:${user}-Pass-2026`)}`,
          ...{ "ocs-apirequest": "true", accept: "application/json", "content-type": "application/json" },
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      }),
    )
    const text = await response.text()
    const body =
      text === "" ? undefined : (JSON.parse(text) as { ocs: { meta: { statuscode: number }; data: unknown } })
    return { status: response.status, code: body?.ocs.meta.statuscode, data: body?.ocs.data }
  }
  const inbox = async (user = "alice", role = "inbox"): Promise<string> => {
    const [account] = (await ask("GET", "/account/list", { user })).data as readonly Fields[]
    const mailboxes = (await ask("GET", `/ocs/mailboxes?accountId=${account?.id}`, { user })).data as readonly Fields[]
    return `/ocs/mailboxes/${mailboxes.find(({ specialRole }) => specialRole === role)?.databaseId}/messages`
  }
  const listed = async (path: string, query: string, user = "alice") =>
    (await ask("GET", `${path}?${query}`, { user })).data as readonly Fields[]
  return { standIn, ask, inbox, listed }
}

describe("the Mail app", () => {
  it("puts a sent message into the recipient's inbox and into “Sent”", async () => {
    const { ask, inbox, listed } = setUp()
    const [account] = (await ask("GET", "/account/list")).data as readonly Fields[]
    const message = { accountId: account?.id, fromEmail: account?.email, subject: "Hi", body: "Text", isHtml: false }
    const json = { ...message, to: [{ email: "bob@example.org" }] }
    expect(await ask("POST", "/message/send", { json })).toEqual({ status: 200, code: 200, data: "" })
    const envelope = { subject: "Hi", from: [{ email: "alice@example.org" }], previewText: "Text" }
    expect(await listed(await inbox("bob"), "limit=5", "bob")).toMatchObject([{ ...envelope, flags: { seen: false } }])
    expect(await listed(await inbox("alice", "sent"), "limit=5")).toMatchObject([
      { ...envelope, flags: { seen: true } },
    ])
  })

  it("sends nothing from another account, as a foreign alias, or without a valid recipient", async () => {
    const { ask } = setUp()
    const [account] = (await ask("GET", "/account/list")).data as readonly Fields[]
    const [others] = (await ask("GET", "/account/list", { user: "bob" })).data as readonly Fields[]
    const whole = { accountId: account?.id, fromEmail: account?.email, to: [{ email: "bob@example.org" }] }
    const refused = async (more: object) => (await ask("POST", "/message/send", { json: { ...whole, ...more } })).status
    expect(await refused({ accountId: others?.id })).toBe(404)
    expect(await refused({ fromEmail: "bob@example.org" })).toBe(404)
    expect(await refused({ to: [] })).toBe(400)
    expect(await refused({ to: [{ email: "not an address" }] })).toBe(400)
  })

  it("lists one message without a limit and older ones with a cursor, and ignores unknown filters", async () => {
    const { standIn, inbox, listed } = setUp()
    for (const sentAt of [100, 200, 300])
      receiveMail(standIn.world, "alice", { from: "carol@example.org", subject: `At ${sentAt}`, sentAt })
    const path = await inbox()
    const subjects = async (query: string) => (await listed(path, query)).map(({ subject }) => subject)
    expect(await subjects("")).toEqual(["At 300"])
    expect(await subjects("limit=5&cursor=300")).toEqual(["At 200", "At 100"])
    expect(await subjects(`limit=5&filter=${encodeURIComponent("subject:At%20200 from:carol")}`)).toEqual(["At 200"])
    expect(await subjects("limit=5&filter=is:starred")).toEqual([])
    expect(await subjects("limit=5&filter=is:ungelesen")).toHaveLength(3)
  })

  it("answers with an empty body for an attachment that is not UTF-8, and has it in the source", async () => {
    const { standIn, ask } = setUp()
    const attachments = [
      { name: "a.txt", mime: "text/plain", bytes: new TextEncoder().encode("Grüße") },
      { name: "a.png", mime: "image/png", bytes: new Uint8Array([0x89, 0x50, 0xff]) },
    ]
    const { id } = receiveMail(standIn.world, "alice", { from: "carol@example.org", subject: "Two", attachments })
    expect((await ask("GET", `/message/${id}/attachment/2`)).data).toMatchObject({ name: "a.txt", content: "Grüße" })
    expect(await ask("GET", `/message/${id}/attachment/3`)).toEqual({ status: 200 })
    expect((await ask("GET", `/message/${id}/raw`)).data).toContain("\r\n\r\niVD/\r\n")
    expect((await ask("GET", `/message/${id}/attachment/4`)).status).toBe(404)
  })

  it("refuses other users, reads without marking, and answers 404 when it is not installed", async () => {
    const { standIn, ask, inbox } = setUp()
    const { id } = receiveMail(standIn.world, "alice", { from: "carol@example.org", subject: "Mine" })
    expect((await ask("GET", `/message/${id}`, { user: "bob" })).status).toBe(404)
    expect((await ask("GET", `${await inbox()}?limit=5`, { user: "bob" })).status).toBe(403)
    const flags = async () => ((await ask("GET", `/message/${id}`)).data as { flags: Fields }).flags
    await flags()
    expect(await flags()).toMatchObject({ seen: false })
    await ask("POST", `/message/${id}/flags`, { json: { flags: { seen: true } } })
    expect(await flags()).toMatchObject({ seen: true })
    standIn.switches.without.add("mail")
    expect(await ask("GET", "/account/list")).toMatchObject({ status: 404, code: 998 })
  })
})
